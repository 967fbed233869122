// The talk's end of the channel to the speaker's window.

import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import {
  channelOf,
  readAsks,
  TALK_CLOSED,
  type SpeakerAsks,
  type TalkNews,
} from "./talk-channel.ts";

export interface SpeakerLink {
  /** Sends the news, where something changed that the store does not know. */
  readonly send: () => void;
  readonly end: () => void;
}

/**
 * Sends `news` to the speaker's window now and whenever the store has other sentences, hands what
 * the window asks to `act`, and sends it the pictures that `draw` makes; undefined for what is no
 * talk's name.
 */
export function linkSpeaker(
  store: Store,
  id: string,
  news: () => TalkNews,
  act: (asks: Exclude<SpeakerAsks, { readonly ask: "news" | "still" }>) => void,
  draw: (slide: number) => Promise<ImageBitmap | undefined>,
): SpeakerLink | undefined {
  const channel = channelOf(id);
  if (channel === undefined) return undefined;
  const send = (): void => channel.postMessage(news());
  let open = true;
  const sendStill = (slide: number): void =>
    void draw(slide).then(
      (picture) => {
        if (picture !== undefined && open) channel.postMessage({ still: slide, picture });
        picture?.close();
      },
      // A picture that cannot be drawn leaves the speaker its words.
      () => undefined,
    );
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const asks = readAsks(data);
    if (asks?.ask === "news") send();
    else if (asks?.ask === "still") sendStill(asks.to);
    else if (asks !== undefined) act(asks);
  };
  // A speaker's window that was open before this page was loaded again hears it.
  send();
  const unsubscribe = store.subscribe((state, previous) => {
    if (hasNews(state, previous)) send();
  });
  const leave = (): void => channel.postMessage(TALK_CLOSED);
  window.addEventListener("pagehide", leave);
  return {
    send,
    end: () => {
      open = false;
      window.removeEventListener("pagehide", leave);
      unsubscribe();
      channel.close();
    },
  };
}

/**
 * Whether the sentences or their place may be others: sixty changes a second are none of the
 * speaker's.
 */
function hasNews({ step, entry, figures, sides }: State, previous: State): boolean {
  const { a, b } = previous.sides;
  return (
    step !== previous.step ||
    entry !== previous.entry ||
    figures !== previous.figures ||
    sides.a.status !== a.status ||
    sides.b.status !== b.status
  );
}
