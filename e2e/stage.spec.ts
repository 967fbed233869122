// The stage alone, as src/stage/example.tsx uses it: without the page's state, its addresses and
// its worker.

import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";
import { build, type Rolldown } from "vite";
import { THEMES } from "../src/timeline/plot/timeline-theme.ts";
import { expect, Lab } from "./support/lab.ts";

const ENTRY = fileURLToPath(new URL("fixtures/stage-example.ts", import.meta.url));

/** The example as one script and one style sheet. */
async function bundled(): Promise<{ readonly script: string; readonly style: string }> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      write: false,
      cssCodeSplit: false,
      rolldownOptions: { input: ENTRY, output: { codeSplitting: false } },
    },
  });
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput;
  const styles = output.flatMap((file) =>
    file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : [],
  );
  return { script: output[0].code, style: styles.join("\n") };
}

test("the example of the stage draws its run, and the window that it keeps follows the wheel", async ({
  page,
}) => {
  const { script, style } = await bundled();
  await page.setContent(
    '<div id="root" style="width: 1000px; height: 500px; display: grid"></div>',
  );
  await page.addStyleTag({ content: style });
  await page.addScriptTag({ content: script, type: "module" });
  await expect(page.getByRole("region", { name: "The machine over time" })).toContainText(
    "CPU 1 spins for a lock",
  );
  const spinning = (): Promise<number> =>
    new Lab(page).pixelsOf("a", THEMES.dark.spin).then((dots) => dots.length);
  await expect.poll(spinning).toBeGreaterThan(1_000);
  const before = await spinning();
  await page.getByTestId("lanes-a").hover({ position: { x: 500, y: 60 } });
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await expect.poll(spinning).toBeGreaterThan(before * 1.2);
});
