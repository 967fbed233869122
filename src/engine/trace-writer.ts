// One run as a file for other tools, in a format that Rust writes: columns in, bytes out. The
// module that does it is fetched when a person first asks for such a file.

import type { TraceFormat } from "./gen/formats.ts";
import type { RunMeta } from "./gen/types.ts";
import type { TraceChunk } from "./protocol.ts";
import init, { Writer } from "./wasm/writer.js";
import writerUrl from "./wasm/writer_bg.wasm?url";
import { WasmModule } from "./wasm-module.ts";

const writerModule = new WasmModule(writerUrl, "the writer of files");

/** What a file is made of. */
interface TraceFile {
  readonly format: TraceFormat;
  readonly meta: Pick<RunMeta, "cpus" | "tasks">;
  /** Every row from the run's first on, those of sim_cpu_state left out. */
  readonly chunks: Iterable<TraceChunk>;
  /** The span of machine time to write, ns, without its end. */
  readonly fromNs: number;
  readonly toNs: number;
}

/** The file's bytes, in pieces. The page can draw between two chunks. */
export async function traceBytes(file: TraceFile): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  await init({ module_or_path: await writerModule.get() });
  const { tasks, cpus } = file.meta;
  const writer = new Writer(
    file.format,
    cpus,
    tasks.map(({ name }) => name),
    tasks.map(({ policy }) => policy),
    Int32Array.from(tasks, ({ priority }) => priority),
    file.fromNs,
    file.toNs,
  );
  try {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (const { time, kind, cpu, a, b } of file.chunks) {
      pieces.push(copied(writer.rows(time, kind, cpu, a, b)));
      await pause();
    }
    pieces.push(copied(writer.end()));
    return pieces;
  } finally {
    writer.free();
  }
}

/** Bytes of their own: the glue's type does not say that they are. */
function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function pause(): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume);
  });
}
