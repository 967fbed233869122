// The steps of the shipped scenarios, opened and played one by one: what a caption speaks of is in the runs and in view, something
// happens there while it plays, and A looks other than B unless the step says that no difference is the answer.

import { readdirSync, readFileSync } from "node:fs";
import { expect, SIDES, test, type Lab, type Side } from "./support/lab.ts";

interface Told {
  readonly caption: string;
  readonly same?: boolean;
  readonly focus?: { readonly lanes?: string };
}

/** Share of the ink in which A and B must differ. */
const INK_MIN = 0.05;

const scenarios = readdirSync("scenarios", { withFileTypes: true }).filter((entry) => entry.isDirectory());
const STEPS: readonly (readonly [slug: string, steps: readonly Told[]])[] = scenarios.flatMap(({ name }) => {
  const { steps } = JSON.parse(readFileSync(`scenarios/${name}/scenario.json`, "utf8")) as { readonly steps?: readonly Told[] };
  return steps === undefined ? [] : [[name, steps] as const];
});

for (const [slug, steps] of STEPS) {
  test(`every step of ${slug} shows its moment, moves, and tells A from B`, async ({ lab }) => {
    await lab.open(`s/${slug}/`);
    await expect(lab.get("story-count")).toHaveText(`1 of ${steps.length}`);
    for (const [index, step] of steps.entries()) {
      const name = `step ${index + 1}: ${step.caption}`;
      if (index > 0) await lab.press("PageDown");
      const caption = lab.get("story-caption");
      await expect(caption, name).toHaveAttribute("data-step", String(index + 1));
      await expect(caption, name).toHaveAttribute("data-missing", "false");
      expect(await caption.innerText(), "every figure is filled in").not.toMatch(/[{}…]/);
      const [from, to] = await lab.view();
      const playhead = await lab.playhead();
      expect(from <= playhead && playhead <= to, `${name}: the playhead at ${playhead} is in ${from} to ${to}`).toBe(true);
      const share = await differentInk(lab, lanesOf(step.focus?.lanes));
      if (process.env["STEPS_INK"] !== undefined) console.log(slug, index + 1, share.toFixed(3), step.same === true ? "same" : "");
      if (step.same !== true) expect.soft(share, `${name}: the share of the ink in which A and B differ`).toBeGreaterThan(INK_MIN);
      expect.soft(await somethingHappens(lab), `${name}: something changes while it plays`).toBe(true);
    }
  });
}

function lanesOf(text = ""): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [first = NaN, last = first] = part.split("-").map(Number);
    return part === "" ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** Of the dots drawn on either side, the share that differs between them; in the rows of `cpus` alone where any are named. */
async function differentInk(lab: Lab, cpus: readonly number[]): Promise<number> {
  return lab.page.evaluate((wanted) => {
    const drawn = (side: string): { readonly data: Uint32Array; readonly width: number }[] =>
      [...document.querySelectorAll(`[data-testid=lanes-${side}], [data-testid=lock-lane-${side}]`)].flatMap((track) => {
        const isLanes = track.getAttribute("data-testid")?.startsWith("lanes") === true;
        return [...track.querySelectorAll("canvas")].map((canvas) => {
          const image = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? new ImageData(1, 1);
          const data = new Uint32Array(image.data.buffer);
          if (wanted.length > 0) {
            const top = canvas.getBoundingClientRect().top;
            const scale = canvas.height / canvas.getBoundingClientRect().height;
            const rows = wanted.flatMap((cpu) => track.querySelector(`[role=row][data-cpu="${cpu}"]`)?.getBoundingClientRect() ?? []);
            const inside = (y: number): boolean =>
              isLanes && rows.some((row) => y >= (row.top - top) * scale && y < (row.bottom - top) * scale);
            for (let y = 0; y < canvas.height; y += 1) if (!inside(y)) data.fill(0, y * canvas.width, (y + 1) * canvas.width);
          }
          return { data, width: canvas.width };
        });
      });
    const [a, b] = [drawn("a"), drawn("b")];
    let ink = 0;
    let different = 0;
    a.forEach((one, at) => {
      const other = b[at];
      if (other === undefined) return;
      const counts = new Map<number, number>();
      for (const dot of [...one.data, ...other.data]) counts.set(dot, (counts.get(dot) ?? 0) + 1);
      const ground = [...counts].sort((left, right) => right[1] - left[1]).filter(([dot]) => dot !== 0 || wanted.length === 0)[0]?.[0];
      const width = Math.min(one.width, other.width);
      const height = Math.min(one.data.length / one.width, other.data.length / other.width);
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
          const [left, right] = [one.data[y * one.width + x], other.data[y * other.width + x]];
          if ((left === ground || left === 0) && (right === ground || right === 0)) continue;
          ink += 1;
          if (left !== right) different += 1;
        }
      }
    });
    return ink === 0 ? 0 : different / ink;
  }, cpus);
}

/** Whether what is said of the CPUs at the playhead changes between it and the end of the view. */
async function somethingHappens(lab: Lab): Promise<boolean> {
  const said = async (): Promise<string> => (await Promise.all(SIDES.map((side: Side) => lab.get(`lanes-${side}`).innerText()))).join("\n");
  const before = await said();
  for (let event = 0; event < 12; event += 1) {
    await lab.press("k");
    if ((await said()) !== before) return true;
  }
  return false;
}
