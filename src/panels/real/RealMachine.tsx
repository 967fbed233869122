// The commands that do the same on a real machine: what both sides share, then what each has of its own.

import { useMemo, type ReactNode } from "react";
import type { RunMeta } from "../../engine/gen/types.ts";
import { fileOf } from "../../state/own-scenario.ts";
import { realCommands, type RealCommand } from "../../state/real/real-commands.ts";
import { withoutTool } from "../../state/real/no-tool.ts";
import { rtAppFiles, type RtAppFile } from "../../state/real/rt-app-file.ts";
import { SIDES, type Side } from "../../state/sides.ts";
import { SideBadge } from "../bits.tsx";
import { useSelect } from "../page.ts";
import { CommandList, Warnings } from "./CommandList.tsx";
import { TaskFiles } from "./TaskFiles.tsx";

/** What does the same as one run. */
interface OfRun {
  readonly lines: readonly RealCommand[];
  readonly files: readonly RtAppFile[];
}

const NOTHING: OfRun = { lines: [], files: [] };

function ofRun(file: ReturnType<typeof fileOf>, meta: RunMeta, suffix = ""): OfRun {
  const files = rtAppFiles(file, meta, suffix);
  return { lines: [...realCommands(meta), ...files.map(({ command }) => command)], files };
}

export default function RealMachine(): ReactNode {
  const entry = useSelect((state) => state.entry);
  const a = useSelect((state) => state.sides.a.shown?.meta);
  const b = useSelect((state) => state.sides.b.shown?.meta);
  const onlyOne = useSelect((state) => state.onlyOneSide);
  const { shared, apart, files, missing } = useMemo(() => {
    const file = fileOf(entry);
    const sameFiles = a === undefined || b === undefined || onlyOne || sameTexts(rtAppFiles(file, a), rtAppFiles(file, b));
    const ofA = a === undefined ? NOTHING : ofRun(file, a, sameFiles ? "" : "-a");
    const ofB = b === undefined || onlyOne ? ofA : ofRun(file, b, sameFiles ? "" : "-b");
    const both = [a, b].flatMap((meta) => (meta === undefined ? [] : withoutTool(file, meta)));
    return {
      missing: [...new Set(both)],
      shared: ofA.lines.filter((each) => isIn(ofB.lines, each)),
      apart: { a: without(ofA.lines, ofB.lines), b: without(ofB.lines, ofA.lines) },
      files: { shared: sameFiles ? ofA.files : [], a: sameFiles ? [] : ofA.files, b: sameFiles ? [] : ofB.files },
    };
  }, [entry, a, b, onlyOne]);
  const all = [...shared, ...apart.a, ...apart.b];
  if (all.length + missing.length === 0) return undefined;
  return (
    <section className="panel" aria-label="On a real machine" data-testid="real-machine">
      <h2>On a real machine</h2>
      <Warnings commands={all} />
      {all.some(({ line }) => line.includes("/proc/irq/N/")) && (
        <p className="muted">Put the device’s number of /proc/interrupts where N stands.</p>
      )}
      {SIDES.some((side) => [...shared, ...apart[side]].filter(({ program }) => program === true).length > 1) && (
        <p className="muted">The programs belong together: start each in a terminal of its own.</p>
      )}
      {shared.length > 0 && <CommandList commands={shared} testId="real-shared" />}
      <TaskFiles files={files.shared} testId="real-file" />
      {SIDES.map((side) => (
        <OfSide key={side} side={side} commands={apart[side]} files={files[side]} />
      ))}
      {missing.map((words) => (
        <p key={words} className="muted" data-testid="real-none">
          {words}
        </p>
      ))}
    </section>
  );
}

interface OfSideProps {
  readonly side: Side;
  readonly commands: readonly RealCommand[];
  readonly files: readonly RtAppFile[];
}

function OfSide({ side, commands, files }: OfSideProps): ReactNode {
  if (commands.length + files.length === 0) return undefined;
  return (
    <div data-testid={`real-${side}`}>
      <p>
        <SideBadge side={side} />
      </p>
      <CommandList commands={commands} testId={`real-${side}`} />
      <TaskFiles files={files} testId={`real-file-${side}`} />
    </div>
  );
}

function sameTexts(one: readonly RtAppFile[], other: readonly RtAppFile[]): boolean {
  return one.length === other.length && one.every(({ text }, index) => text === other[index]?.text);
}

function isIn(lines: readonly RealCommand[], { line, needs }: RealCommand): boolean {
  return lines.some((other) => other.line === line && other.needs === needs);
}

function without(lines: readonly RealCommand[], others: readonly RealCommand[]): readonly RealCommand[] {
  return lines.filter((each) => !isIn(others, each));
}
