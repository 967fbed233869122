// Hands a trace to Perfetto's page in another window, by the messages that this page takes:
//
//   us        PING  PING  PING            { perfetto: { buffer, title, ... } }
//   Perfetto  (loads)        PONG         opens the trace
//
// From "Deep linking to Perfetto UI" (perfetto.dev/docs/visualization/deep-linking-to-perfetto-ui)
// and ui/src/frontend/post_message_handler.ts, which answers to the window that opened it alone.
// Knows messages only; it does not know how a trace is made.

/** What Perfetto's page is given. */
export interface PerfettoTrace {
  readonly buffer: ArrayBuffer;
  readonly title: string;
  readonly fileName: string;
  /** Where the trace comes from. */
  readonly url?: string;
}

/** The part of a window that is needed of Perfetto's. */
export interface Opened {
  readonly closed: boolean;
  readonly postMessage: (message: unknown, origin: string, transfer?: Transferable[]) => void;
}

/** The two ends of the messages. */
export interface Ends {
  /** Our own window, where answers arrive. */
  readonly here: Pick<Window, "addEventListener" | "removeEventListener">;
  readonly there: Opened;
  /** The only origin whose answer counts, and the only one that is given the trace. */
  readonly origin: string;
}

const ASK_EVERY_MS = 200;
/** A slow connection loads 10 MB of Perfetto. */
export const ANSWER_WITHIN_MS = 60_000;

/**
 * Gives the trace, once, as soon as it is made and the other page answers. Throws why it could not
 * be given; the making of the trace is then ended too.
 */
export async function handOver(
  ends: Ends,
  make: (signal: AbortSignal) => Promise<PerfettoTrace>,
  signal: AbortSignal,
): Promise<void> {
  const either = new AbortController();
  const stop = (): void => either.abort();
  signal.addEventListener("abort", stop);
  try {
    const [trace] = await Promise.all([make(either.signal), answered(ends, either.signal)]);
    if (ends.there.closed) throw new Error(gone(ends.origin));
    ends.there.postMessage({ perfetto: trace }, ends.origin, [trace.buffer]);
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Waits for the other page's answer. */
function answered({ here, there, origin }: Ends, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (why?: string): void => {
      clearInterval(asking);
      clearTimeout(waiting);
      here.removeEventListener("message", hear);
      if (why === undefined) resolve();
      else reject(new Error(why));
    };
    const hear = ({ source, origin: from, data }: MessageEvent): void => {
      if (source === there && from === origin && data === "PONG") end();
    };
    const ask = (): void => {
      // To any origin: the word is no secret, and before the page is there a browser complains of
      // each message to another one.
      if (there.closed) end(gone(origin));
      else there.postMessage("PING", "*");
    };
    const asking = setInterval(ask, ASK_EVERY_MS);
    const waiting = setTimeout(() => end(silent(origin)), ANSWER_WITHIN_MS);
    here.addEventListener("message", hear);
    signal.addEventListener("abort", () => end("stopped"), { once: true });
  });
}

function gone(origin: string): string {
  return (
    `the window of ${origin} is closed, or its server separates it from the page that opened it ` +
    "(Cross-Origin-Opener-Policy). Save the file and open it in Perfetto."
  );
}

function silent(origin: string): string {
  return (
    `${origin} did not answer within ${String(ANSWER_WITHIN_MS / 1000)} s. Check the address and ` +
    "whether Perfetto runs there, or save the file and open it in Perfetto."
  );
}
