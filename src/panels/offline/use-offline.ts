// The site's copy for when there is no network, as panels need it.

import { useSyncExternalStore } from "react";
import { keeperOf, type Copy, type Keeper, type Offline } from "../../effects/offline/site-copy.ts";
import { usePage } from "../page/page.ts";

export function useOffline(): Offline & { readonly keeper: Keeper } {
  const keeper = keeperOf(usePage().root);
  return { ...useSyncExternalStore(keeper.subscribe, keeper.get), keeper };
}

/** What is said of the copy, and more of it on asking; undefined: nothing yet. */
export function copyWords(copy: Copy): readonly [words: string, more: string] | undefined {
  switch (copy.kind) {
    case "none":
      return undefined;
    case "ready":
      return [
        "Ready offline",
        "This browser keeps every file of the site: scenarios, lessons and talks open without a network",
      ];
    case "partial": {
      const { have, of, failed } = copy;
      return failed
        ? [
            `Not offline: ${have} of ${of} files`,
            "The other files did not come. The browser tries again when the network is back",
          ]
        : [
            `Offline: ${have} of ${of} files`,
            "The browser fetches every file of the site, for when there is no network",
          ];
    }
    case "unable":
      return copy.why === "insecure"
        ? [
            "Needs the network: no https",
            "Browsers keep a copy of a site from https addresses and from this machine alone",
          ]
        : [
            "Needs the network",
            "This browser keeps no files of this site: storage is blocked, or the site lacks a file",
          ];
  }
}
