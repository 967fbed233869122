// The commands that do the same on a real machine: what both sides share, then what each has of its
// own.

import { useMemo, type ReactNode } from "react";
import type { RunMeta, ScenarioEntry } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { fileOf } from "../../scenario/viewer-scenario.ts";
import { kernelSentences } from "../../dialects/write/kernel-words.ts";
import { realCommands } from "../../dialects/write/real-commands.ts";
import { type RealCommand } from "../../dialects/write/real-command.ts";
import { withoutTool } from "../../dialects/write/no-tool.ts";
import { ownSwitch } from "../../dialects/write/runtime-switches.ts";
import { taskFiles, type RtAppFile } from "../../dialects/write/rt-app-file.ts";
import { standIns } from "../../dialects/write/stand-ins.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { useSelect } from "../page/page.ts";
import { CommandList, Warnings } from "./CommandList.tsx";
import { TaskFiles } from "./TaskFiles.tsx";

/** What does the same as one run. */
interface OfRun {
  readonly lines: readonly RealCommand[];
  readonly files: readonly RtAppFile[];
  /** How a program of the reader's own is started the same way. */
  readonly own: readonly RealCommand[];
  /** What nothing here starts, and why, a sentence each. */
  readonly missing: readonly string[];
}

const NOTHING: OfRun = { lines: [], files: [], own: [], missing: [] };

function filesOf(entry: ScenarioEntry, meta: RunMeta, suffix = ""): readonly RtAppFile[] {
  return [...taskFiles(fileOf(entry), meta, suffix).files, ...standIns(meta, suffix).files];
}

function ofRun(entry: ScenarioEntry, meta: RunMeta, suffix: string): OfRun {
  const files = filesOf(entry, meta, suffix);
  const missing = withoutTool(fileOf(entry), meta);
  return {
    lines: realCommands(
      meta,
      files.map(({ command }) => command),
    ),
    files,
    own: ownSwitch(entry.slug, meta),
    missing,
  };
}

export default function RealMachine(): ReactNode {
  const entry = useSelect((state) => state.entry);
  const a = useSelect((state) => state.sides.a.shown?.meta);
  const b = useSelect((state) => state.sides.b.shown?.meta);
  const onlyOne = useSelect((state) => state.onlyOneSide);
  const { shared, apart, files, own, missing } = useMemo(() => {
    const sameFiles =
      a === undefined ||
      b === undefined ||
      onlyOne ||
      sameTexts(filesOf(entry, a), filesOf(entry, b));
    const ofA = a === undefined ? NOTHING : ofRun(entry, a, sameFiles ? "" : "-a");
    const ofB = b === undefined || onlyOne ? ofA : ofRun(entry, b, sameFiles ? "" : "-b");
    return {
      shared: ofA.lines.filter((each) => isIn(ofB.lines, each)),
      apart: { a: without(ofA.lines, ofB.lines), b: without(ofB.lines, ofA.lines) },
      files: {
        shared: sameFiles ? ofA.files : [],
        a: sameFiles ? [] : ofA.files,
        b: sameFiles ? [] : ofB.files,
      },
      own: {
        shared: ofA.own.filter((each) => isIn(ofB.own, each)),
        a: without(ofA.own, ofB.own),
        b: without(ofB.own, ofA.own),
      },
      missing: [...new Set([...ofA.missing, ...ofB.missing])],
    };
  }, [entry, a, b, onlyOne]);
  const all = [...shared, ...apart.a, ...apart.b];
  if (all.length + missing.length === 0) return undefined;
  return (
    <section className="panel" aria-label="On a real machine" data-testid="real-machine">
      <h2>On a real machine</h2>
      {a !== undefined && (
        <p className="muted" data-testid="real-kernel">
          {plainText(kernelSentences(a, onlyOne ? undefined : b))}
        </p>
      )}
      <Warnings commands={all} />
      {all.some(({ line }) => line.includes("/proc/irq/N/")) && (
        <p className="muted">Put the device’s number of /proc/interrupts where N stands.</p>
      )}
      {SIDES.some(
        (side) => [...shared, ...apart[side]].filter(({ program }) => program === true).length > 1,
      ) && (
        <p className="muted">The programs belong together: start each in a terminal of its own.</p>
      )}
      {missing.map((sentence) => (
        <p key={sentence} className="muted" data-testid="real-none">
          {sentence}
        </p>
      ))}
      {shared.length > 0 && <CommandList commands={shared} testId="real-shared" />}
      <TaskFiles files={files.shared} testId="real-file" />
      <OwnSwitch commands={own.shared} testId="real-own" />
      {SIDES.map((side) => (
        <OfSide key={side} side={side} commands={apart[side]} files={files[side]} own={own[side]} />
      ))}
    </section>
  );
}

interface OfSideProps {
  readonly side: Side;
  readonly commands: readonly RealCommand[];
  readonly files: readonly RtAppFile[];
  readonly own: readonly RealCommand[];
}

function OfSide({ side, commands, files, own }: OfSideProps): ReactNode {
  if (commands.length + files.length + own.length === 0) return undefined;
  return (
    <div data-testid={`real-${side}`}>
      <p>
        <SideBadge side={side} />
      </p>
      <CommandList commands={commands} testId={`real-${side}`} />
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
  readonly commands: readonly RealCommand[];
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

function sameTexts(one: readonly RtAppFile[], other: readonly RtAppFile[]): boolean {
  return one.length === other.length && one.every(({ text }, index) => text === other[index]?.text);
}

function isIn(lines: readonly RealCommand[], { line, needs }: RealCommand): boolean {
  return lines.some((other) => other.line === line && other.needs === needs);
}

function without(
  lines: readonly RealCommand[],
  others: readonly RealCommand[],
): readonly RealCommand[] {
  return lines.filter((each) => !isIn(others, each));
}
