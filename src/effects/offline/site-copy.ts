// What the page knows of the copy of the site that a service worker keeps
// (`public/offline-worker.js`). It asks the worker and believes the worker's answer, never that a
// copy made once is still there. It reloads nothing unless the viewer says so.

import { onlyAddress } from "../../lib/only-address.ts";

/** The site's copy for when there is no network. */
export type Copy =
  /** The viewer has not asked for a copy yet. */
  | { readonly kind: "none" }
  /**
   * `insecure`: neither https nor this machine; `refused`: the browser keeps nothing here, or the
   * worker did not come.
   */
  | { readonly kind: "unable"; readonly why: "insecure" | "refused" }
  /** `failed`: the rest did not come; tried again when the network is back. */
  | {
      readonly kind: "partial";
      readonly have: number;
      readonly of: number;
      readonly failed: boolean;
    }
  | { readonly kind: "ready" };

export interface Offline {
  readonly copy: Copy;
  /** A newer build of the site is here, and begins with a reload. */
  readonly newer: boolean;
}

export interface Keeper {
  /** The page itself came from a copy. */
  readonly kept: boolean;
  readonly get: () => Offline;
  /** Returns what ends it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Has the copy made, or looks whether it is whole. Later calls do nothing. */
  readonly begin: () => void;
  /** Reloads the page with the newer build. */
  readonly takeNewer: () => void;
}

/** How often a page that stays open asks whether there is a newer build, ms. */
const LOOK_AGAIN_MS = 3_600_000;

/**
 * The address is written once a second, and a reload opens what it says: what was typed last has to
 * be in it, ms.
 */
const WRITTEN_MS = 1_500;

/**
 * Reads a worker's message: how many files it has, of how many; undefined for any other message.
 */
export function readCount(
  data: unknown,
): { readonly have: number; readonly of: number; readonly failed: boolean } | undefined {
  const { schedscope, have, of, failed } = (
    typeof data === "object" && data !== null ? data : {}
  ) as Readonly<Record<string, unknown>>;
  if (schedscope !== "offline" || typeof have !== "number" || typeof of !== "number")
    return undefined;
  return { have, of, failed: failed === true };
}

/** Undefined where the browser has none to offer: without https, or where storage is blocked. */
function container(): ServiceWorkerContainer | undefined {
  try {
    return (navigator as { readonly serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  } catch {
    return undefined;
  }
}

let keeper: Keeper | undefined;

/** The page's keeper. `root`: the site's path, with its closing slash. */
export function keeperOf(root: string): Keeper {
  keeper ??= makeKeeper(root);
  return keeper;
}

function makeKeeper(root: string): Keeper {
  let now: Offline = { copy: { kind: "none" }, newer: false };
  const listeners = new Set<() => void>();
  const set = (change: Partial<Offline>): void => {
    now = { ...now, ...change };
    for (const listener of listeners) listener();
  };
  let takeNewer = (): void => undefined;
  let begun = false;
  const begin = (): void => {
    if (begun) return;
    begun = true;
    const { isSecureContext: secure } = window;
    void follow(root, set, () => now).then(
      (take) => (takeNewer = take),
      () => set({ copy: { kind: "unable", why: secure ? "refused" : "insecure" } }),
    );
  };
  return {
    kept: container()?.controller != null,
    get: () => now,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin,
    takeNewer: () => takeNewer(),
  };
}

/**
 * Registers the worker and reports what becomes of it; returns what takes the newer build. Fails
 * where there can be no worker.
 */
async function follow(
  root: string,
  set: (change: Partial<Offline>) => void,
  get: () => Offline,
): Promise<() => void> {
  const workers = container();
  if (workers === undefined) throw new Error("no service workers");
  const address = onlyAddress(
    "schedscope-offline",
    () => new URL(`${root}offline-worker.js`, window.location.href).href,
  );
  const register = (): Promise<ServiceWorkerRegistration> =>
    workers.register(address(), { scope: root, updateViaCache: "none" });
  let registration = await register();
  let counted: ReturnType<typeof readCount>;
  const judge = (): void => {
    const { active, installing, waiting } = registration;
    if (counted !== undefined && counted.have === counted.of && active !== null)
      set({ copy: { kind: "ready" } });
    else if (counted !== undefined)
      set({
        copy: {
          kind: "partial",
          ...counted,
          failed: counted.failed || (active ?? installing) === null,
        },
      });
    if (active !== null && waiting !== null) set({ newer: true });
  };
  const watch = (): void => {
    registration.installing?.addEventListener("statechange", judge);
    judge();
  };
  const ask = (): void => {
    registration.addEventListener("updatefound", watch);
    watch();
    (registration.active ?? registration.installing)?.postMessage("news");
  };
  workers.addEventListener("message", ({ data, source }: MessageEvent<unknown>) => {
    // A newer build that comes up beside this one also sends its counts: the viewer does not need
    // them before that build is here.
    if (source !== (registration.active ?? registration.installing)) return;
    counted = readCount(data) ?? counted;
    judge();
  });
  let leaving = false;
  let { controller } = workers;
  workers.addEventListener("controllerchange", () => {
    if (leaving) window.location.reload();
    // Another window of the site took the newer build.
    else if (controller !== null) set({ newer: true });
    controller = workers.controller;
  });
  window.addEventListener("online", () => {
    if (get().copy.kind === "ready") return;
    void register().then((again) => {
      registration = again;
      ask();
    }, judge);
  });
  const look = (): void => void registration.update().catch(() => undefined);
  setInterval(look, LOOK_AGAIN_MS);
  ask();
  // A browser looks by itself some time after a page was opened.
  if (registration.active !== null) look();
  return () => {
    setTimeout(() => {
      leaving = true;
      if (registration.waiting === null) window.location.reload();
      else registration.waiting.postMessage("take over");
    }, WRITTEN_MS);
  };
}
