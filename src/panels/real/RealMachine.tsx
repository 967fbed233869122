// The commands that do the same on a real machine: what both sides share, then what each has of its own.

import { useMemo, type ReactNode } from "react";
import { realCommands, type RealCommand } from "../../state/real/real-commands.ts";
import { SIDES, type Side } from "../../state/sides.ts";
import { SideBadge } from "../bits.tsx";
import { useSelect } from "../page.ts";
import { CommandList, Warnings } from "./CommandList.tsx";

export default function RealMachine(): ReactNode {
  const a = useSelect((state) => state.sides.a.shown?.meta);
  const b = useSelect((state) => state.sides.b.shown?.meta);
  const onlyOne = useSelect((state) => state.onlyOneSide);
  const lines = useMemo(() => {
    const ofA = a === undefined ? [] : realCommands(a);
    const ofB = b === undefined || onlyOne ? ofA : realCommands(b);
    return { shared: ofA.filter((each) => isIn(ofB, each)), a: without(ofA, ofB), b: without(ofB, ofA) };
  }, [a, b, onlyOne]);
  const all = [...lines.shared, ...lines.a, ...lines.b];
  if (all.length === 0) return undefined;
  return (
    <section className="panel" aria-label="On a real machine" data-testid="real-machine">
      <h2>On a real machine</h2>
      <Warnings commands={all} />
      {lines.shared.length > 0 && <CommandList commands={lines.shared} testId="real-shared" />}
      {SIDES.map((side) => (
        <OfSide key={side} side={side} commands={lines[side]} />
      ))}
    </section>
  );
}

function OfSide({ side, commands }: { readonly side: Side; readonly commands: readonly RealCommand[] }): ReactNode {
  if (commands.length === 0) return undefined;
  return (
    <div data-testid={`real-${side}`}>
      <p>
        <SideBadge side={side} />
      </p>
      <CommandList commands={commands} testId={`real-${side}`} />
    </div>
  );
}

function isIn(lines: readonly RealCommand[], { line, needs }: RealCommand): boolean {
  return lines.some((other) => other.line === line && other.needs === needs);
}

function without(lines: readonly RealCommand[], others: readonly RealCommand[]): readonly RealCommand[] {
  return lines.filter((each) => !isIn(others, each));
}
