// The list of formats that a run is saved in, as a person uses it.

import { readFile } from "node:fs/promises";
import { expect, type Lab } from "./lab.ts";

export async function openRunFiles(lab: Lab): Promise<void> {
  await lab.page.keyboard.press("Control+Shift+KeyS");
  await lab.page.getByRole("radio", { name: "Run for other tools" }).check({ force: true });
}

/** Opens a format of the list, if it is not open. */
export async function openFormat(lab: Lab, format: string): Promise<void> {
  const line = lab.get(`run-format-${format}`);
  if ((await line.getAttribute("aria-expanded")) !== "true") await line.click();
  await expect(line).toHaveAttribute("aria-expanded", "true");
}

/** Saves the open format and returns the file's bytes. */
export async function savedRun(lab: Lab, file: string): Promise<Buffer> {
  const [download] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.get("run-save").click(),
  ]);
  expect(download.suggestedFilename()).toBe(file);
  await expect(lab.get("picture-said")).toContainText(`Saved as ${file}.`);
  return readFile(await download.path());
}
