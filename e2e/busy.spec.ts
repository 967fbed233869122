// A big machine arrives in the page while the viewer goes on working with it.

import { expect, HERD, test } from "./support/lab.ts";

test("keys are answered one after the other while 256 CPUs are computed on both sides", async ({ lab }) => {
  await lab.open(HERD);
  const cpus = lab.get("knob-machine.cpus");
  await cpus.fill("256");
  await cpus.press("Enter");
  await expect(lab.get("question")).toHaveText("Why do 256 CPUs wait for one lock?");
  await cpus.blur();
  // Answered: the axis is another one at the next frame but one. All in the page, so that nothing but the page is waited for.
  const answered = await lab.page.evaluate(async () => {
    const frame = (): Promise<number> => new Promise(requestAnimationFrame);
    const byId = (id: string): string => document.querySelector(`[data-testid="${id}"]`)?.textContent ?? "";
    let count = 0;
    for (let press = 0; press < 8; press += 1) {
      const before = byId("time-axis");
      document.body.dispatchEvent(new KeyboardEvent("keydown", { code: press % 2 === 0 ? "KeyS" : "KeyW", bubbles: true }));
      await frame();
      await frame();
      if (byId("time-axis") !== before && byId("progress").startsWith("computing")) count += 1;
    }
    return count;
  });
  expect(answered).toBe(8);
  await lab.whenIdle();
  await expect(lab.get("progress")).toHaveText("computed");
});

test("control characters that turn text around do not leave the title", async ({ lab }) => {
  await lab.open("lab/");
  await lab.write(
    JSON.stringify({
      schema: 1,
      title: "one \u202Etwo\u2066 three",
      duration: "1ms",
      machine: { cpus: 2, topology: "1x2", costs: "zero" },
      kernel: { version: "4.15" },
      workload: { tasks: { worker: { policy: "SCHED_FIFO", priority: 5, loop: -1, run: 100, sleep: 100 } } },
      variants: [{ name: "a\u202Eb", set: {} }],
    }),
  );
  await expect(lab.get("question")).toHaveText("one two three");
  expect(await lab.page.locator("main").innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});
