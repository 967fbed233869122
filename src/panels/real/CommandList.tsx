// Lines for a real machine, each with what it needs and a button that copies it.

import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import type { Needs, RealLine } from "../../engine/real-object.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { Breakable } from "../widgets/Breakable.tsx";
import "./real.css";

/** What a chip says, and what follows from it. */
const NEEDS: Readonly<Record<Needs, readonly [chip: string, says: string]>> = {
  root: [
    "root",
    "Lines marked “root” need root’s rights. Those that write change the machine, or the group, for everybody: try them on a machine that nobody else uses.",
  ],
  boot: [
    "reboot",
    "Lines marked “reboot” are boot options: they stand in the kernel’s command line.",
  ],
  build: [
    "build",
    "Lines marked “build” are options of the kernel’s build; /boot/config-* or /proc/config.gz tells which one runs.",
  ],
};

export function CommandList({
  commands,
  testId,
}: {
  readonly commands: readonly RealLine[];
  readonly testId: string;
}): ReactNode {
  return (
    <ul className="real-commands">
      {commands.map(({ line, needs }, index) => (
        <li key={`${String(index)} ${line}`}>
          <code>
            <Breakable text={plainText(line)} />
          </code>
          {needs !== null && <span className="chip real-needs">{NEEDS[needs][0]}</span>}
          <CopyButton
            text={plainText(line)}
            label="Copy"
            testId={`${testId}-copy-${String(index)}`}
          />
        </li>
      ))}
    </ul>
  );
}

/** What the marks of these lines mean, as warnings. */
export function Warnings({ commands }: { readonly commands: readonly RealLine[] }): ReactNode {
  const met = (["root", "boot", "build"] as const).filter((each) =>
    commands.some(({ needs }) => needs === each),
  );
  return met.map((each) => (
    <p key={each} className="muted" data-testid={`real-warning-${each}`}>
      {NEEDS[each][1]}
    </p>
  ));
}
