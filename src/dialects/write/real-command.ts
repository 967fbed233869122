// A line of a real shell that does on a real machine what a knob or program does in the model.

import type { KnobValue } from "../../engine/gen/types.ts";

/**
 * What a line needs beside a shell: root's rights; a reboot, as it is a word of the kernel's
 * command line; another build of the kernel.
 */
export type Needs = "root" | "boot" | "build";

/** A command line, a word for the kernel's command line, or an option of its build. */
export interface RealCommand {
  readonly line: string;
  readonly needs: Needs | undefined;
  /** Whether it starts one of the scenario's programs. */
  readonly program?: true;
}

/** Value of the knob at a path, if the scenario has it. */
export type ValueOf = (path: string) => KnobValue | undefined;
