// Where the page is put together: store, engines, address bar, keys; then React draws it.

import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { createEngineClient } from "../engine/client.ts";
import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../engine/gen/types.ts";
import { Boundary } from "../panels/widgets/Boundary.tsx";
import { PageContext, type Page } from "../panels/page/page.ts";
import { keepDressed } from "../effects/document/dress.ts";
import { keepFirstPicture } from "../effects/document/first-picture.ts";
import { keepTitle } from "../effects/document/title.ts";
import { keepPlaying, keepTouring, playSteps } from "../effects/play/playback-clock.ts";
import { keepAddress, openAddress, type Catalogue } from "../effects/address/address-bar.ts";
import { frameOf, type FrameName } from "../links/frames.ts";
import { framedHost } from "../effects/address/framed-host.ts";
import { FIRST_SLUG, rootOf } from "../links/place.ts";
import { ownEntry, readDraft } from "../scenario/viewer-scenario.ts";
import { TEMPLATE } from "../scenario/template.ts";
import { KeptRuns } from "../effects/runs/finished-runs.ts";
import { startRunner } from "../effects/runs/runner.ts";
import type { Turns } from "../effects/runs/feeder.ts";
import { perSide } from "../scenario/sides.ts";
import { initialState } from "../state/shape/state.ts";
import { makeStore, type Store } from "../state/store.ts";
import {
  firstDrag,
  firstLab,
  firstLetters,
  firstTheme,
  keepSettings,
  themeAsked,
} from "../effects/storage/settings.ts";
import { keepBets, keptBets } from "../effects/storage/session-bets.ts";
import { entryInWords } from "../scenario/engine-texts.ts";
import { App } from "./App.tsx";
import { whenIdle } from "../effects/idle/idle.ts";
import { keepStrips } from "../effects/strips/start-strips.ts";
import "./styles.css";

/**
 * The icon and the manifest are named relative to the page that was opened; the address moves on,
 * they must not.
 */
function pinLinks(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[href]"))
    link.setAttribute("href", link.href);
}

/** The frames around the stage, except the lab. */
const FRAMES = {
  embed: () => import("./embed/Embed.tsx"),
  present: () => import("./talk/Talk.tsx"),
  learn: () => import("./lesson/LessonFrame.tsx"),
  lecture: () => import("./talk/LessonTalk.tsx"),
};

/** The wait, ms, where a browser cannot report that it is idle. */
const IDLE_MS = 50;

/**
 * A message to oneself comes after the input and the drawing that wait, and without the 4 ms a
 * nested timer costs.
 */
function pageTurns(): Turns {
  const waiting: (() => void)[] = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => waiting.shift()?.();
  return {
    now: () => performance.now(),
    later: (work) => {
      waiting.push(work);
      channel.port2.postMessage(undefined);
    },
    // Safari has no idle callbacks.
    idle: (work) =>
      "requestIdleCallback" in window
        ? void requestIdleCallback(work)
        : void setTimeout(work, IDLE_MS),
  };
}

/**
 * What the viewer typed last, and, where something can be typed, what an own scenario starts as.
 */
function ownTexts(
  root: string,
  storage: () => Storage,
  frame: FrameName,
): Pick<Catalogue, "draft" | "start"> {
  return { draft: () => readDraft(root, storage), start: frame === "lab" ? TEMPLATE : undefined };
}

/**
 * The page's store before its first scenario is opened, with the settings that the viewer made now
 * or on an earlier visit.
 */
function storeOf(entry: ScenarioEntry, frame: FrameName, root: string): Store {
  const storage = (): Storage => window.localStorage;
  const prefersLight = window.matchMedia("(prefers-color-scheme: light)").matches;
  const theme =
    themeAsked(frame, window.location.search) ?? firstTheme(root, storage, prefersLight);
  return makeStore({
    ...initialState(
      entry,
      theme,
      theme === "projector" ? (prefersLight ? "light" : "dark") : theme,
    ),
    drag: firstDrag(root, storage),
    letters: firstLetters(root, storage),
    lab: firstLab(root, storage, frame),
    bets: frame === "lab" ? keptBets(root) : undefined,
  });
}

function start(element: HTMLElement): void {
  const root = rootOf(import.meta.url);
  const storage = (): Storage => window.localStorage;
  const made = document.querySelector<HTMLScriptElement>("script[data-slug]")?.dataset;
  const asked = frameOf(window.location.pathname, root);
  // The page itself says that it presents a lesson: its address is of the form that a scenario's
  // talk has.
  const frame = asked === "present" && made?.["lesson"] !== undefined ? "lecture" : asked;
  const host = framedHost(window, root, frame, made?.["slug"] ?? FIRST_SLUG);
  const coming = frame === "lab" ? undefined : FRAMES[frame]();
  const Frame = coming === undefined ? App : lazy(() => coming);
  const scenarios = SCENARIOS.map(entryInWords).sort(
    (one, other) => Number(other.slug === FIRST_SLUG) - Number(one.slug === FIRST_SLUG),
  );
  const catalogue: Catalogue = { root, scenarios, knobs: KNOBS, ...ownTexts(root, storage, frame) };
  const store = storeOf(scenarios[0] ?? ownEntry(""), frame, root);
  pinLinks();
  openAddress(store, host.location, catalogue, true);
  const address = keepAddress(store, host, catalogue);
  const kept = new KeptRuns();
  const runner = startRunner(
    store,
    perSide(() => createEngineClient()),
    pageTurns(),
    kept,
  );

  const figures = import("virtual:shipped-figures").then(
    ({ FIGURES }) => store.dispatch({ type: "figures_came", figures: FIGURES }),
    // Without the shipped figures the numbers appear when the runs are done.
    () => undefined,
  );
  // Runs computed ahead inside another page would take that page's time.
  if (frame === "lab")
    void figures
      .then(() => import("../effects/ahead/likely.ts"))
      .then(
        ({ keepAhead }) => keepAhead(store, catalogue.knobs, pageTurns(), kept),
        () => undefined,
      );
  keepStrips(store, pageTurns(), kept);

  const motion = window.matchMedia("(prefers-reduced-motion: reduce)");
  keepPlaying(store, () => motion.matches);
  playSteps(store, () => motion.matches, window);
  keepTouring(store);

  keepDressed(store);
  // A lesson has a title of its own.
  if (frame !== "learn" && frame !== "lecture") keepTitle(store);
  keepSettings(store, root, storage, frame);
  keepBets(store, root);

  const go = (path: string): void => {
    address.goTo(path);
    window.scrollTo({ top: 0 });
  };
  const page: Page = { store, runner, catalogue, root, go };
  window.schedscope = {
    whenIdle: () => Promise.resolve(coming).then(() => whenIdle(store, runner)),
  };
  if (frame === "lab") keepFirstPicture(element, store);
  createRoot(element).render(
    <PageContext value={page}>
      <Boundary what="The page">
        <Suspense>
          <Frame />
        </Suspense>
      </Boundary>
    </PageContext>,
  );
}

const element = document.getElementById("root");
// 404.html asks for this script at several addresses: whichever comes first draws the page. In a
// frame without an origin no engine loads: what the build has drawn stays there.
if (element !== null && window.schedscope === undefined && window.origin !== "null") start(element);
