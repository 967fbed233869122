// Makes one file of the runs that a person chose, by the writer that the command has too.

import { FORMATS } from "../../../engine/gen/formats.ts";
import type { RunFormat } from "../../../engine/gen/run-formats.ts";
import { runBytes } from "../../../engine/run-writer.ts";
import { counted } from "../../../lib/count.ts";
import { download } from "../../../lib/download.ts";
import { formatCount } from "../../../lib/format.ts";
import type { State } from "../../../state/shape/state.ts";
import { savedWords, type Work } from "../../widgets/use-saving.ts";
import { chunksOf, spansOf, type FittedChoice, type Sides } from "./run-choice.ts";

/** A file that is made and not handed over yet. */
export interface MadeRun {
  readonly file: string;
  readonly mediaType: string;
  readonly bytes: readonly Uint8Array<ArrayBuffer>[];
  /** What the run has and the file has not, each in a sentence without a full stop. */
  readonly lost: readonly string[];
}

/** The file of a choice. Throws a sentence where there can be none. */
export async function makeRun(
  format: RunFormat,
  choice: FittedChoice,
  state: State,
  { signal, onProgress }: Work,
): Promise<MadeRun> {
  const spans = spansOf(state, choice);
  const of = spans.reduce((rows, { run }) => rows + run.trace.events.count, 0);
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  const lost: string[] = [];
  let before = 0;
  const onRows = (rows: number): void => {
    const done = before + rows;
    onProgress({ words: `${formatCount(done)} of ${counted(of, "row")}`, done, of });
  };
  onRows(0);
  for (const [index, { side, run, fromNs, toNs }] of spans.entries()) {
    const { meta, report, trace } = run;
    if (trace.setup === undefined) throw new Error(`side ${side.toUpperCase()} has no setup.`);
    const file = {
      format: format.name,
      meta,
      setup: trace.setup,
      isB: index > 0,
      // A workload is made of the setup alone.
      chunks: format.what === "workload" ? [] : chunksOf(run),
      endNs: report?.simulated_ns ?? run.simulatedNs,
      metrics: report?.metrics ?? {},
      fromNs,
      toNs,
      changes: run.request.changes ?? [],
    };
    const written = await runBytes(file, { signal, onRows });
    bytes.push(...written.pieces);
    lost.push(...written.lost);
    before += trace.events.count;
  }
  return { file: fileOf(format, choice.sides, nameOf(state)), ...typeOf(format), bytes, lost };
}

/** Hands the file to the browser and says its name. */
export function saveRun({ file, mediaType, bytes, lost }: MadeRun): string {
  download(file, new Blob([...bytes]), mediaType);
  return savedWords(file, lost.length > 0 ? `Not in it: ${lost.join("; ")}.` : undefined);
}

/** What a run is called in names of files. */
function nameOf({ route, entry }: State): string {
  return route === "own" ? "scenario" : entry.slug;
}

/** `rt-pull-herd-a-ftrace.txt`: several formats have the same ending. */
export function fileOf({ name }: RunFormat, sides: Sides, run: string): string {
  const ending = `.${FORMATS[name].extension}`;
  const format = name.endsWith(ending) ? name : `${name}${ending}`;
  return `${run}-${sides === "both" ? "ab" : sides}-${format}`;
}

function typeOf({ name }: RunFormat): Pick<MadeRun, "mediaType"> {
  return { mediaType: FORMATS[name].mediaType };
}
