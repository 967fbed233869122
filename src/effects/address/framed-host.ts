// The address bar as the lab sees it, whatever frame is around the page.

import type { AddressHost } from "./address-bar.ts";
import { type FrameName, labPath, inFrame } from "../../links/frames.ts";

/**
 * The address bar as the lab sees it. An embed's is the host page's business: it is read and never
 * written. A lesson's bar names the lesson, so the lab gets an address of its own beside it, which
 * begins with the scenario `first`.
 */
export function framedHost(
  host: AddressHost,
  root: string,
  frame: FrameName,
  first = "",
): AddressHost {
  if (frame === "lab") return host;
  if (frame === "learn" || frame === "lecture") return barOfLesson(`${root}s/${first}/`);
  const write =
    (how: "pushState" | "replaceState") => (data: unknown, unused: string, url: string) => {
      if (frame !== "embed") host.history[how](data, unused, inFrame(url, root, frame));
    };
  return {
    get location() {
      const { pathname, hash } = host.location;
      return { pathname: labPath(pathname, root), hash };
    },
    history: { pushState: write("pushState"), replaceState: write("replaceState") },
    addEventListener: (type, listener) => host.addEventListener(type, listener),
    removeEventListener: (type, listener) => host.removeEventListener(type, listener),
  };
}

/** An address bar that the viewer does not see. */
function barOfLesson(start: string): AddressHost {
  let address = start;
  const write = (_data: unknown, _unused: string, url: string): void => void (address = url);
  return {
    get location() {
      const [pathname = "", hash] = address.split("#");
      return { pathname, hash: hash === undefined ? "" : `#${hash}` };
    },
    history: { pushState: write, replaceState: write },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
}
