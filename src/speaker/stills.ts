// The pictures of the slide on the screen and of the next one, as the talk's window has drawn them.

import type { SpeakerAsks, Still, TalkNews } from "../effects/talk/talk-channel.ts";

export interface Stills {
  /** Asks for the pictures of these slides that are not there, or not of these words. */
  readonly want: (slides: readonly number[], news: TalkNews) => void;
  readonly take: (still: Still) => void;
  /** Draws a slide's picture into a canvas, which is hidden while there is none. */
  readonly show: (canvas: HTMLCanvasElement, slide: number) => void;
}

/** `ask` sends to the talk. */
export function keepStills(ask: (message: SpeakerAsks) => void): Stills {
  const kept = new Map<number, { readonly words: string; readonly picture: ImageBitmap }>();
  const words = new Map<number, string>();
  return {
    want: (slides, { steps }) => {
      for (const slide of slides) {
        const caption = steps[slide]?.caption;
        if (caption === undefined || kept.get(slide)?.words === caption) continue;
        words.set(slide, caption);
        ask({ ask: "still", to: slide });
      }
    },
    take: ({ slide, picture }) => {
      kept.get(slide)?.picture.close();
      kept.set(slide, { words: words.get(slide) ?? "", picture });
    },
    show: (canvas, slide) => {
      const picture = kept.get(slide)?.picture;
      canvas.hidden = picture === undefined;
      if (picture === undefined) return;
      canvas.width = picture.width;
      canvas.height = picture.height;
      canvas.getContext("2d")?.drawImage(picture, 0, 0);
    },
  };
}
