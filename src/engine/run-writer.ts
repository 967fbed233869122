// One run as a file for other tools, in a format that Rust writes: columns in, bytes out. The
// module that does it is fetched when a person first asks for such a file.

import type { FormatName } from "./gen/formats.ts";
import type { RunMeta } from "./gen/types.ts";
import { bytesOf } from "../lib/hexadecimal.ts";
import { turn } from "../lib/turn.ts";
import type { Change, TraceChunk } from "./protocol.ts";
import { textOf } from "./replay.ts";
import init, { Writer } from "./wasm/writer.js";
import writerUrl from "./wasm/writer_bg.wasm?url";
import { WasmModule } from "./wasm-module.ts";

const writerModule = new WasmModule(writerUrl, "the writer of files");

/** What a file is made of. */
interface RunFile {
  /** One of `RUN_FORMATS`. */
  readonly format: FormatName;
  readonly meta: Pick<RunMeta, "slug" | "kernel" | "replay">;
  /** `Handover.setup` of the run. */
  readonly setup: string;
  /** Whether it is the second of two runs in one file. */
  readonly isB: boolean;
  /** Every row from the run's first on, those of sim_cpu_state left out. */
  readonly chunks: Iterable<TraceChunk>;
  /** Machine time that was simulated, ns: a limit can stop a run before its end. */
  readonly endNs: number;
  /** The report's `metrics`. */
  readonly metrics: object;
  /** The span of machine time to write, ns, without its end. */
  readonly fromNs: number;
  readonly toNs: number;
  /** Writes to the running kernel, in order of time. */
  readonly changes: readonly Change[];
}

/** Who follows the work, and may end it. */
export interface Watch {
  readonly signal: AbortSignal;
  /** `rows`: how many of this run are written. */
  readonly onRows: (rows: number) => void;
}

/** A file of one run. */
export interface WrittenRun {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** What this run has and the file has not, beyond what the format loses of every run. */
  readonly lost: readonly string[];
}

/** Between the parts of a path: no name of a task or group contains it. */
const BETWEEN = "\u001f";

/**
 * The file. The page can draw between two chunks, and end the work there.
 *
 * Throws the writer's sentence where the run has nothing that the format can hold.
 */
export async function runBytes(file: RunFile, { signal, onRows }: Watch): Promise<WrittenRun> {
  await init({ module_or_path: await writerModule.get() });
  const { slug, kernel, replay } = file.meta;
  const writer = new Writer(
    file.format,
    bytesOf(file.setup),
    [slug, kernel, replay],
    file.isB,
    file.fromNs,
    file.toNs,
    file.changes.flatMap(([, path, value]) => [path, textOf(value)]),
  );
  try {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let rows = 0;
    for (const { time, kind, cpu, a, b } of file.chunks) {
      pieces.push(copied(writer.rows(time, kind, cpu, a, b)));
      rows += time.length;
      onRows(rows);
      await turn(signal);
    }
    const figures = [...figuresOf(file.metrics)];
    const paths = figures.map(([path]) => path);
    pieces.push(
      copied(
        writer.end(
          file.endNs,
          paths,
          Float64Array.from(figures, ([, value]) => value),
        ),
      ),
    );
    return { pieces, lost: writer.lost() };
  } finally {
    writer.free();
  }
}

/** The whole numbers in an object, each with its path. */
function* figuresOf(object: object, before = ""): Generator<readonly [string, number]> {
  for (const [name, value] of Object.entries(object) as [string, unknown][])
    if (typeof value === "number") yield [before + name, value];
    else if (typeof value === "object" && value !== null && !Array.isArray(value))
      yield* figuresOf(value, before + name + BETWEEN);
}

/** Bytes of their own: the glue's type does not say that they are. */
function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
