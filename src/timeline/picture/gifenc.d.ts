// What is used of gifenc, which brings no types.

declare module "gifenc" {
  export type Palette = readonly (readonly number[])[];
  export function quantize(rgba: Uint8ClampedArray | Uint8Array, most: number): Palette;
  export interface FrameOptions {
    /** Given with the first frame, for all frames. */
    readonly palette?: Palette;
    /** ms, a multiple of 10. */
    readonly delay: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** 1: the next frame is drawn over this one. */
    readonly dispose?: number;
    /** 0: for ever. */
    readonly repeat?: number;
  }
  export interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }
  export function GIFEncoder(): Encoder;
}
