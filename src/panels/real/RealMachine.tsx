// The commands that do the same on a real machine: what both sides share, then what each has of its
// own.

import { useEffect, useMemo, useState, type ReactNode } from "react";
import { realOf } from "../../engine/real.ts";
import type { RealLine, RealObject, RealShare } from "../../engine/real-object.ts";
import { isRealOpen, openReal } from "../../engine/real-module.ts";
import type { RunMeta } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { kernelText } from "../../scenario/path-words.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { useSelect } from "../page/page.ts";
import { CommandList, Warnings } from "./CommandList.tsx";
import { TaskFiles } from "./TaskFiles.tsx";

export default function RealMachine(): ReactNode {
  const real = useReal();
  if (real === undefined) return undefined;
  const { kernel, shared, missing, notes } = real;
  const all = [...shared.lines, ...real.a.lines, ...real.b.lines];
  if (all.length + missing.length === 0) return undefined;
  return (
    <section className="panel" aria-label="On a real machine" data-testid="real-machine">
      <h2>On a real machine</h2>
      <p className="muted" data-testid="real-kernel">
        {plainText(kernel)}
      </p>
      <Warnings commands={all} />
      {notes.map((note) => (
        <p key={note} className="muted">
          {plainText(note)}
        </p>
      ))}
      {missing.map((sentence) => (
        <p key={sentence} className="muted" data-testid="real-none">
          {plainText(sentence)}
        </p>
      ))}
      {shared.lines.length > 0 && <CommandList commands={shared.lines} testId="real-shared" />}
      <TaskFiles files={shared.files} testId="real-file" />
      <OwnSwitch commands={shared.own} testId="real-own" />
      {SIDES.map((side) => (
        <OfSide key={side} side={side} share={real[side]} />
      ))}
    </section>
  );
}

function forPeople(meta: RunMeta): RunMeta {
  return { ...meta, kernel: kernelText(meta) };
}

/** Undefined before a run is there, and where the module does not come. */
function useReal(): RealObject | undefined {
  const file = useSelect((state) => state.entry.text);
  const a = useSelect((state) => state.sides.a.shown?.meta);
  const ofB = useSelect((state) => state.sides.b.shown?.meta);
  const onlyOne = useSelect((state) => state.onlyOneSide);
  const b = onlyOne ? undefined : ofB;
  const isOpen = useModule();
  return useMemo(
    () =>
      isOpen && a !== undefined
        ? realOf(file, forPeople(a), b === undefined ? undefined : forPeople(b))
        : undefined,
    [isOpen, file, a, b],
  );
}

/** Whether the module has come. At once where it was fetched before: paper does not wait. */
function useModule(): boolean {
  const [isOpen, setOpen] = useState(isRealOpen);
  useEffect(() => {
    openReal().then(
      () => setOpen(true),
      // The panel is left out until it is shown anew.
      () => undefined,
    );
  }, []);
  return isOpen;
}

function OfSide({ side, share }: { readonly side: Side; readonly share: RealShare }): ReactNode {
  const { lines, files, own } = share;
  if (lines.length + files.length + own.length === 0) return undefined;
  return (
    <div data-testid={`real-${side}`}>
      <p>
        <SideBadge side={side} />
      </p>
      <CommandList commands={lines} testId={`real-${side}`} />
      <TaskFiles files={files} testId={`real-file-${side}`} />
      <OwnSwitch commands={own} testId={`real-own-${side}`} />
    </div>
  );
}

/**
 * The program of the scenario is made up: its reader has another one, with a switch for the same.
 */
function OwnSwitch({
  commands,
  testId,
}: {
  readonly commands: readonly RealLine[];
  readonly testId: string;
}): ReactNode {
  if (commands.length === 0) return undefined;
  return (
    <>
      <p className="muted">
        In place of the stand-in, a program of your own, inside the group (put your own names where
        words are in capitals):
      </p>
      <CommandList commands={commands} testId={testId} />
    </>
  );
}
