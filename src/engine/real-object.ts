// What does the same on a real machine, as the writer's module and `schedscope real` give it:
// `schedscope.real/1` (docs/use/command-line.md).

/**
 * What a line needs beside a shell: root's rights; a reboot, as it is a word of the kernel's
 * command line; another build of the kernel.
 */
export type Needs = "root" | "boot" | "build";

/** A command line, a word for the kernel's command line, or an option of its build. */
export interface RealLine {
  readonly line: string;
  readonly needs: Needs | null;
}

/** A file for rt-app. */
export interface TaskFile {
  readonly name: string;
  readonly text: string;
  /** What is in the scenario and not in the file, a sentence each. */
  readonly notes: readonly string[];
}

export interface RealShare {
  /** In the order in which one would type them. */
  readonly lines: readonly RealLine[];
  /** The files that some of the lines name. */
  readonly files: readonly TaskFile[];
  /** How a program of the reader's own is started the same way. */
  readonly own: readonly RealLine[];
}

export interface RealObject {
  readonly schema: "schedscope.real/1";
  /** Which kernel to boot. */
  readonly kernel: string;
  /** What both sides have; all of it where there is one run. */
  readonly shared: RealShare;
  readonly a: RealShare;
  readonly b: RealShare;
  /** What nothing here does, and why, a sentence each. */
  readonly missing: readonly string[];
  /** What one has to know of the lines, a sentence each. */
  readonly notes: readonly string[];
}
