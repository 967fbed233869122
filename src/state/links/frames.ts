// The frames that stand around the stage: the lab, an embed in somebody's page, a talk. Below the frame's own folder the address is that of
// the lab: `present/quota-tree/#…` shows what `s/quota-tree/#…` says. A page keeps the frame it was opened with.

import type { AddressHost } from "./address-bar.ts";

export type FrameName = "lab" | "embed" | "present";

/** The folders below the site's root, and what the lab calls the same: `s/<slug>/`, or `lab/` for a scenario of one's own. */
const FRAMED = /^(embed|present)\/([a-z0-9-]+)(\/|$)/;
const IN_LAB = /^(?:s\/([a-z0-9-]+)|(lab))(?=\/)/;

/** Which frame a path asks for. `root`: path of the site with its closing slash. */
export function frameOf(pathname: string, root: string): FrameName {
  const name = FRAMED.exec(below(pathname, root))?.[1];
  return name === "embed" || name === "present" ? name : "lab";
}

/** The lab's path of the same thing. */
export function labPath(pathname: string, root: string): string {
  const inside = below(pathname, root).replace(
    FRAMED,
    (_, _frame: string, slug: string, end: string) => `${slug === "lab" ? "lab" : `s/${slug}`}${end}`,
  );
  return inside === below(pathname, root) ? pathname : root + inside;
}

/** An address of the lab in a frame; what is no scenario's address stays as it is. */
export function inFrame(address: string, root: string, frame: FrameName): string {
  if (frame === "lab") return address;
  return root + below(address, root).replace(IN_LAB, (_, slug: string | undefined) => `${frame}/${slug ?? "lab"}`);
}

/** The address bar as the lab sees it. An embed's is the host page's business: it is read and never written. */
export function framedHost(host: AddressHost, root: string, frame: FrameName): AddressHost {
  if (frame === "lab") return host;
  const write = (how: "pushState" | "replaceState") => (data: unknown, unused: string, url: string) => {
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

function below(path: string, root: string): string {
  return path.startsWith(root) ? path.slice(root.length) : path;
}
