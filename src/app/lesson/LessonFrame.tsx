// A lesson: text at the left, the picture at the right. The picture of a scene comes first; where
// it has a bet, the bet comes before the picture. Numbers in the text are those of the runs on
// screen. What was reached is kept.

import { Suspense, use, useEffect, useReducer, useRef, useState, type ReactNode } from "react";
import { keepWhole } from "../../lib/whole-text.ts";
import { Boundary } from "../../panels/widgets/Boundary.tsx";
import { keepChoice, keptChoice } from "../../effects/storage/stored-choice.ts";
import { fitToPaper } from "../../panels/frame/fit-to-paper.ts";
import { PaperSource } from "../../panels/frame/PaperSource.tsx";
import { Coming, lazily } from "../../lib/lazily.tsx";
import { OfflineNotice } from "../../panels/offline/OfflineNotice.tsx";
import { Score } from "../../panels/numbers/Score.tsx";
import { SideStatuses } from "../../panels/frame/SideStatus.tsx";
import { Transport } from "../../panels/frame/Transport.tsx";
import { usePage, useSelect } from "../../panels/page/page.ts";
import { type Bet, type Lesson, type Scene } from "../../state/lessons/lesson.ts";
import {
  isDecided,
  progressName,
  progressOf,
  reduceProgress,
  writeProgress,
  type Progress,
  type ProgressAction,
} from "../../effects/storage/lesson-progress.ts";
import { addressOf } from "../../effects/address/address-bar.ts";
import { lessonOf } from "../../links/frames.ts";
import { GuidedStage } from "../guided/GuidedStage.tsx";
import { StepWords } from "../guided/StepWords.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { sceneOfAddress, useSceneAddress } from "./use-scene-address.ts";
import { useScene } from "./use-scene.ts";
import { LiveText, ShowCpus } from "./LiveText.tsx";
import { lessonNamed, nearestLesson } from "./lessons.ts";
import { PuzzleBox } from "./PuzzleBox.tsx";
import { SceneDots } from "./SceneDots.tsx";
import "./lesson.css";

const Ending = lazily(() => import("./Ending.tsx"));

export default function LessonFrame(): ReactNode {
  const { root } = usePage();
  const id = lessonOf(window.location.pathname, root) ?? "";
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
  const { root } = usePage();
  const lesson = use(loading);
  useEffect(
    () => void (document.title = `${lesson?.title ?? "No such page"} · schedscope`),
    [lesson],
  );
  const near = lesson === undefined ? nearestLesson(id) : undefined;
  if (lesson === undefined)
    return (
      <main className="refused" data-testid="link-refused" data-code="no_page">
        <h1>There is no lesson called “{id}” here.</h1>
        {near !== undefined && (
          <p>
            Did you mean{" "}
            <a href={`${root}learn/${near}/${window.location.hash}`} data-testid="link-near">
              {near}
            </a>
            ?
          </p>
        )}
        <p>
          <a href={`${root}?lessons`}>All questions and lessons</a>
        </p>
      </main>
    );
  return <LessonScreen id={id} lesson={lesson} />;
}

function LessonScreen({ id, lesson }: { readonly id: string; readonly lesson: Lesson }): ReactNode {
  const page = usePage();
  const storage = (): Storage => window.localStorage;
  const [progress, change] = useReducer(reduceProgress, undefined, () => {
    const kept = progressOf(keptChoice(page.root, storage, progressName(id)), lesson.scenes);
    // A link to a scene goes there, wherever one stopped.
    const linked = sceneOfAddress(lesson.scenes.length);
    return linked === undefined
      ? kept
      : reduceProgress(kept, { type: "went", at: linked, scenes: lesson.scenes.length });
  });
  useEffect(
    () => keepChoice(page.root, storage, progressName(id), writeProgress(progress)),
    [page.root, id, progress],
  );
  // What a word of one scene shows, the next scene does not.
  const [shown, setShown] = useState<{
    readonly at: number;
    readonly cpus: readonly number[] | undefined;
  }>();
  const scene = lesson.scenes[progress.at];
  useScene(lesson, progress.at);
  const goTo = (at: number): void => change({ type: "went", at, scenes: lesson.scenes.length });
  useSceneAddress(progress.at, lesson.scenes.length, goTo);
  const betting = scene?.bet !== undefined && isOpenBet(progress);
  // The text speaks of these runs: no key makes others of them, and none looks below the cover of a
  // bet.
  useKeys({
    goStep: (direction) => goTo(progress.at + direction),
    takes: betting ? "steps" : "looks",
  });
  useEffect(fitToPaper, []);
  useEffect(keepWhole, []);
  const text = useRef<HTMLElement>(null);
  useEffect(() => {
    text.current?.scrollTo({ top: 0 });
  }, [progress.at]);
  if (scene === undefined) return undefined;
  const show = (cpus: readonly number[] | undefined): void => setShown({ at: progress.at, cpus });
  return (
    <div
      className="lesson"
      data-testid="lesson"
      data-scene={progress.at + 1}
      data-betting={betting}
    >
      <LessonHead id={id} lesson={lesson} at={progress.at} onScene={goTo} />
      <main className="lesson-text" aria-label="Lesson" ref={text}>
        <ShowCpus value={show}>
          <SceneText key={progress.at} scene={scene} progress={progress} change={change} />
          {progress.at + 1 === lesson.scenes.length && isDecided(progress, scene) && (
            <Closing text={lesson.closing} />
          )}
        </ShowCpus>
        <Walk id={id} lesson={lesson} progress={progress} change={change} waits={betting} />
      </main>
      <LessonStage
        betting={betting}
        emphasis={shown?.at === progress.at ? shown.cpus : undefined}
      />
      <OfflineNotice />
      {/* The link has the figures that are bet on. */}
      {!betting && <PaperSource at=".lesson-stage" />}
    </div>
  );
}

interface StageProps {
  /** Whether a bet is open: then the picture is covered, and no number is in sight. */
  readonly betting: boolean;
  readonly emphasis: readonly number[] | undefined;
}

function LessonStage({ betting, emphasis }: StageProps): ReactNode {
  return (
    <section className="lesson-stage" aria-label="Picture">
      <SideStatuses />
      <div className={`lesson-picture${betting ? " covered" : ""}`} inert={betting}>
        <GuidedStage emphasis={emphasis} numbers={false} />
        <StepWords ratio={false} />
      </div>
      {betting && <p className="lesson-curtain">Place your bet, then look.</p>}
      {!betting && (
        <div className="band">
          <Score />
        </div>
      )}
      <Boundary what="Playback">
        <Transport />
      </Boundary>
    </section>
  );
}

interface HeadProps {
  readonly id: string;
  readonly lesson: Lesson;
  readonly at: number;
  readonly onScene: (at: number) => void;
}

function LessonHead({ id, lesson, at, onScene }: HeadProps): ReactNode {
  const { root } = usePage();
  const address = useSelect((state) => addressOf(state, root));
  return (
    <header className="lesson-head">
      <a className="brand" href={root}>
        schedscope
      </a>
      <h1 className="lesson-title">{lesson.title}</h1>
      <SceneDots lesson={lesson} at={at} onScene={onScene} />
      <a
        className="button"
        href={`${root}present/${id}/#${at + 1}`}
        data-testid="lesson-present"
        title="The scenes as slides, for a room"
      >
        Present
      </a>
      <a
        className="button"
        href={address}
        data-testid="lesson-lab"
        title="The same picture with all knobs"
      >
        Open in the lab
      </a>
    </header>
  );
}

interface TextProps {
  readonly scene: Scene;
  readonly progress: Progress;
  readonly change: (action: ProgressAction) => void;
}

function SceneText({ scene, progress, change }: TextProps): ReactNode {
  const { bet, puzzle } = scene;
  const chosen = progress.bets[progress.at];
  return (
    <section data-testid="lesson-scene">
      <h2>{scene.title}</h2>
      {bet !== undefined && (
        <BetBox
          bet={bet}
          open={isOpenBet(progress)}
          chosen={chosen}
          onChoice={(choice) => change({ type: "bet", choice })}
        />
      )}
      {(bet === undefined || !isOpenBet(progress)) &&
        scene.text.map((paragraph, index) => <LiveText key={index} text={paragraph} />)}
      {puzzle !== undefined && (
        <PuzzleBox
          puzzle={puzzle}
          scene={scene}
          solved={progress.solved[progress.at] === true}
          shown={progress.shown[progress.at] === true}
          change={change}
        />
      )}
    </section>
  );
}

function Closing({ text }: { readonly text: string }): ReactNode {
  return (
    <section data-testid="lesson-closing">
      <h2>What to do</h2>
      <LiveText text={text} />
    </section>
  );
}

interface BetProps {
  readonly bet: Bet;
  /** Neither made nor passed over. */
  readonly open: boolean;
  readonly chosen: number | undefined;
  readonly onChoice: (choice: number) => void;
}

function isOpenBet({ at, bets, shown }: Progress): boolean {
  return bets[at] === undefined && shown[at] !== true;
}

function BetBox({ bet, open, chosen, onChoice }: BetProps): ReactNode {
  return (
    <div className="lesson-bet" data-testid="lesson-bet">
      <LiveText text={bet.question} />
      <div className="lesson-choices">
        {bet.choices.map((choice, index) => (
          <button
            key={choice}
            type="button"
            className="button"
            disabled={!open}
            aria-pressed={chosen === index}
            data-right={open ? undefined : index === bet.right}
            data-testid={`lesson-choice-${index + 1}`}
            onClick={() => onChoice(index)}
          >
            {choice}
            {chosen === index && " (your bet)"}
            {!open && index === bet.right && " ✓"}
          </button>
        ))}
      </div>
      <div role="status">
        {!open && (
          <>
            <strong>
              {chosen === bet.right
                ? "You were right."
                : `The run says: ${bet.choices[bet.right] ?? ""}.`}
            </strong>{" "}
            <LiveText text={bet.why} />
          </>
        )}
      </div>
    </div>
  );
}

interface WalkProps {
  readonly id: string;
  readonly lesson: Lesson;
  readonly progress: Progress;
  readonly change: (action: ProgressAction) => void;
  /** A bet is open. */
  readonly waits: boolean;
}

function Walk({ id, lesson, progress, change, waits }: WalkProps): ReactNode {
  const { at } = progress;
  const { root } = usePage();
  const scenes = lesson.scenes.length;
  const go = (to: number): void => change({ type: "went", at: to, scenes });
  return (
    <div className="lesson-walk">
      <p className="lesson-keys muted">
        Keys: <kbd>←</kbd> <kbd>→</kbd> scenes, <kbd>Space</kbd> play, <kbd>J</kbd> <kbd>K</kbd>{" "}
        event by event
      </p>
      {at + 1 === scenes && (
        <Boundary what="The way to the next lesson">
          <Suspense fallback={<Coming />}>
            <Ending id={id} progress={progress} />
          </Suspense>
        </Boundary>
      )}
      <button
        type="button"
        className="button"
        disabled={at === 0}
        title="Back (←)"
        data-testid="lesson-back"
        onClick={() => go(at - 1)}
      >
        Back
      </button>
      <span className="muted">
        {at + 1} of {scenes}
      </span>
      {at + 1 < scenes ? (
        <button
          type="button"
          className="button primary-button"
          title={waits ? "The picture and what it shows; → goes on" : "Next (→)"}
          data-testid="lesson-next"
          onClick={() => (waits ? change({ type: "shown" }) : go(at + 1))}
        >
          {waits ? "Show it without a bet" : "Next"}
        </button>
      ) : (
        <a className="button" href={`${root}?lessons`} data-testid="lesson-end">
          All lessons
        </a>
      )}
    </div>
  );
}
