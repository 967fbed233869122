// A turn for the page within long work. Knows the browser's messages only.

/**
 * Lets the page draw and answer. Throws once the work was stopped. By a message and no timer: a
 * page behind another tab gets one timer a second.
 */
export function turn(signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      if (signal.aborted) fail(new Stopped());
      else done();
    };
    port2.postMessage(undefined);
  });
}

/** The viewer stopped it. */
class Stopped extends Error {}
