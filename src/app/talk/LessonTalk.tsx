// A lesson before an audience: its scenes as slides over the same stage. A slide shows its bet
// before the answer; the speaker's window has the text.

import { Suspense, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { Coming } from "../../lib/lazily.tsx";
import { usePage, useSelect } from "../../panels/page/page.ts";
import type { Lesson, Scene } from "../../state/lessons/lesson.ts";
import { lessonFigure } from "../../state/lessons/figures.ts";
import { plainWords } from "../../state/lessons/words.ts";
import type { State } from "../../state/shape/state.ts";
import { captionWith } from "../../state/steps/caption.ts";
import type { SpokenStep } from "../../effects/talk/talk-channel.ts";
import { lessonNamed } from "../lesson/lessons.ts";
import { SceneDots } from "../lesson/SceneDots.tsx";
import { sceneOfAddress, useSceneAddress } from "../lesson/use-scene-address.ts";
import { useScene } from "../lesson/use-scene.ts";
import { TalkScreen, type Deck } from "./Talk.tsx";

/** The page names the lesson that it presents: `present/herd/`. */
export default function LessonTalk(): ReactNode {
  const id =
    document.querySelector<HTMLScriptElement>("script[data-lesson]")?.dataset["lesson"] ?? "";
  const [loading] = useState(() => lessonNamed(id));
  return (
    <Suspense fallback={<Coming />}>
      <Loaded id={id} loading={loading} />
    </Suspense>
  );
}

function Loaded({
  id,
  loading,
}: {
  readonly id: string;
  readonly loading: Promise<Lesson | undefined>;
}): ReactNode {
  const lesson = use(loading);
  useEffect(
    () => void (document.title = `${lesson?.title ?? "No such page"} · schedscope`),
    [lesson],
  );
  return lesson && <Slides id={id} lesson={lesson} />;
}

function Slides({ id, lesson }: { readonly id: string; readonly lesson: Lesson }): ReactNode {
  const page = usePage();
  const { root } = page;
  const [at, goTo] = useState(() => sceneOfAddress(lesson.scenes.length) ?? 0);
  useScene(lesson, at);
  useSceneAddress(at, lesson.scenes.length, goTo);
  const deck = useMemo((): Deck => {
    const [scene, last] = [lesson.scenes[at], lesson.scenes.at(-1)];
    const within = (index: number): number | undefined =>
      lesson.scenes[index] === undefined ? undefined : index;
    return {
      title: () => lesson.title,
      slides: (state) =>
        lesson.scenes.map((scene) => spoken(state, scene, scene === last ? lesson.closing : "")),
      at: () => at,
      next: () => within(at + 1),
      back: () => within(at - 1),
      open: goTo,
      stepOf: (state, index) => stepOfScene(lesson, at, state.entry.slug, index),
      home: () => `${root}learn/${id}/#${at + 1}`,
      homeLabel: "Lesson",
      dots: <SceneDots lesson={lesson} at={at} onScene={goTo} />,
      head: (
        <Head
          lesson={lesson}
          at={at}
          closing={scene === last && scene?.puzzle === undefined ? lesson.closing : ""}
        />
      ),
    };
  }, [id, lesson, at, root]);
  return <TalkScreen page={page} deck={deck} />;
}

/** The step of another slide over the same runs as the slide `at`; undefined for other runs. */
function stepOfScene(
  { scenes }: Lesson,
  at: number,
  slug: string,
  index: number,
): number | undefined {
  const [here, there] = [scenes[at], scenes[index]];
  const turned = (scene: Scene | undefined): string =>
    JSON.stringify([scene?.set ?? {}, scene?.a ?? {}, scene?.b ?? {}]);
  const same = there?.scenario === slug && turned(here) === turned(there);
  return same ? there.step - 1 : undefined;
}

/**
 * What the audience reads beside the step's caption: the answer of a bet, or the goal of a puzzle.
 */
function sentenceOf({ bet, puzzle }: Scene): string {
  return bet === undefined ? (puzzle?.goal ?? "") : `${bet.choices[bet.right] ?? ""}.`;
}

/** A text with the figures of the runs on screen. */
function filledIn(state: State, text: string): string {
  return captionWith(plainWords(text), (name, side) => lessonFigure(state, name, side));
}

const NO_CHOICES: readonly string[] = [];

/**
 * The scene as the speaker reads it. Figures are known only for the current scene. The lesson's
 * closing words may answer a puzzle: the speaker says them.
 */
function spoken(state: State, scene: Scene, closing: string): SpokenStep {
  const { bet, puzzle, text, title } = scene;
  const hint = puzzle === undefined ? [] : [`Hint: ${puzzle.hint}`];
  const notes = [
    ...(bet === undefined ? [] : [bet.why]),
    ...text,
    ...hint,
    ...(closing === "" ? [] : [`What to do: ${closing}`]),
  ];
  return {
    caption: title,
    sentence: `${bet === undefined ? (puzzle === undefined ? "" : "Goal: ") : "Answer: "}${filledIn(state, sentenceOf(scene))}`,
    notes: notes.map((note) => filledIn(state, note)),
    bet: bet === undefined ? "" : filledIn(state, bet.question),
    choices: bet?.choices ?? NO_CHOICES,
  };
}

interface HeadProps {
  readonly lesson: Lesson;
  readonly at: number;
  readonly closing: string;
}

/** The number is the slide's: that of the step would count another scenario's steps. */
function Head({ lesson, at, closing }: HeadProps): ReactNode {
  const scene = lesson.scenes[at];
  const words = useSelect((state) =>
    scene === undefined ? "" : filledIn(state, sentenceOf(scene)),
  );
  return (
    <p className="talk-scene" data-testid="talk-scene">
      <span className="talk-count muted" data-testid="talk-count">
        {at + 1} of {lesson.scenes.length}
      </span>{" "}
      <strong>{scene?.title}</strong> {words} {closing !== "" && <em>{closing}</em>}
    </p>
  );
}
