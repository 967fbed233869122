// A film as WebM, by the browser's own encoder. Frame i has the time i / fps: no clock is read.

import { ArrayBufferTarget, Muxer } from "webm-muxer";
import { turn } from "../../lib/turn.ts";
import type { Frames, Making } from "./film.ts";
import { WEBM_FPS } from "./film.ts";

/** Bits to a dot: letters and hairlines stay sharp. */
const BITS_PER_DOT = 0.1;
const KEY_FRAME_EVERY = 60;
/** Frames that may wait for the encoder. */
const QUEUE_MAX = 2;

/** What the browser calls them, and what the file does. */
const CODECS = [
  { codec: "vp09.00.50.08", name: "V_VP9" },
  { codec: "vp8", name: "V_VP8" },
] as const;

interface Chosen {
  readonly config: VideoEncoderConfig;
  readonly name: (typeof CODECS)[number]["name"];
}

async function chosenCodec(width: number, height: number): Promise<Chosen> {
  const bitrate = Math.round(width * height * WEBM_FPS * BITS_PER_DOT);
  for (const { codec, name } of CODECS) {
    const config: VideoEncoderConfig = { codec, width, height, bitrate, framerate: WEBM_FPS };
    if ((await VideoEncoder.isConfigSupported(config)).supported === true) return { config, name };
  }
  throw new Error("this browser encodes neither VP9 nor VP8 at this size. Save a GIF instead.");
}

export async function webmOf(film: Frames, { signal, onFrame }: Making): Promise<ArrayBuffer> {
  const { width, height } = film.canvas;
  const { config, name } = await chosenCodec(width, height);
  const target = new ArrayBufferTarget();
  const muxer = new Muxer({ target, video: { codec: name, width, height, frameRate: WEBM_FPS } });
  const failed: { error?: DOMException } = {};
  const encoder = new VideoEncoder({
    output: (chunk, meta) => muxer.addVideoChunk(chunk, meta),
    error: (error) => (failed.error = error),
  });
  encoder.configure(config);
  try {
    for (let frame = 0; frame < film.frames; frame += 1) {
      film.paint(frame);
      encodeFrame(encoder, film.canvas, frame);
      do await turn(signal);
      while (encoder.encodeQueueSize > QUEUE_MAX && failed.error === undefined);
      if (failed.error !== undefined) break;
      onFrame(frame + 1);
    }
    if (failed.error === undefined) await encoder.flush();
  } finally {
    if (encoder.state !== "closed") encoder.close();
  }
  if (failed.error !== undefined)
    throw new Error(
      `the browser’s encoder failed (${failed.error.message}). Choose a smaller size, or save a GIF.`,
    );
  muxer.finalize();
  return target.buffer;
}

function encodeFrame(encoder: VideoEncoder, canvas: HTMLCanvasElement, index: number): void {
  const at = (frame: number): number => Math.round((frame * 1e6) / WEBM_FPS);
  const frame = new VideoFrame(canvas, {
    timestamp: at(index),
    duration: at(index + 1) - at(index),
  });
  encoder.encode(frame, { keyFrame: index % KEY_FRAME_EVERY === 0 });
  frame.close();
}
