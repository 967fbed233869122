// What is on screen as a link and as commands. Nothing leaves the page by itself.

import type { ReactNode } from "react";
import { compareCommand, runCommand } from "../../state/link/commands.ts";
import { writeAddress } from "../../links/link.ts";
import { contentOf } from "../../state/link/link-state.ts";
import { OWN_SLUG } from "../../scenario/viewer-scenario.ts";
import { isComputing, questionOf } from "../../state/select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { SideBadge } from "../widgets/SideBadge.tsx";
import type { State } from "../../state/shape/state.ts";
import { usePage, useSelect } from "../page/page.ts";
import { liveWords } from "./live-words.ts";
import { ShareForms } from "./ShareForms.tsx";

interface ShareProps {
  readonly onClose: () => void;
  /** Opens the window of pictures and films in place of this one. */
  readonly onPicture: () => void;
}

export default function ShareDialog({ onClose, onPicture }: ShareProps): ReactNode {
  const state = useSelect((each) => each);
  const { root } = usePage();
  const { entry } = state;
  const address = writeAddress(contentOf(state));
  const link = address === undefined ? undefined : `${window.location.origin}${root}${address}`;
  const written = liveWords(state);
  return (
    <Dialog title="Share this comparison" onClose={onClose} testId="share">
      {link === undefined ? (
        <p className="empty">
          This scenario is too big for a link (over 64 KB). Save it as a file instead, from
          “Scenario”.
        </p>
      ) : (
        <LinkRow link={link} computing={isComputing(state)} />
      )}
      <div className="share-row">
        <button
          type="button"
          className="button"
          title="Ctrl+Shift+S"
          data-testid="picture-open"
          onClick={onPicture}
        >
          Save picture, film or run …
        </button>
      </div>
      {written !== undefined && (
        <p className="muted" data-testid="share-live">
          {written}
        </p>
      )}
      <CommandRow state={state} />
      {link !== undefined && (
        <details data-testid="share-more">
          <summary>In a page, on a slide, as a talk</summary>
          <ShareForms
            link={link}
            question={questionOf(state)}
            slug={entry.slug === OWN_SLUG ? undefined : entry.slug}
          />
        </details>
      )}
      <SideCommands state={state} />
    </Dialog>
  );
}

interface LinkRowProps {
  readonly link: string;
  /** Whether runs are under way: then the link has no results. */
  readonly computing: boolean;
}

function LinkRow({ link, computing }: LinkRowProps): ReactNode {
  return (
    <div className="share-row">
      <label htmlFor="share-link">
        Link: the scenario, every changed knob, the view, the selection and the numbers you see
      </label>
      <textarea
        id="share-link"
        className="share-text"
        readOnly
        rows={3}
        value={link}
        data-testid="share-link"
        onFocus={(event) => event.target.select()}
      />
      <p className="muted">
        {link.length} characters
        {computing
          ? ". The runs are not finished: their numbers are not in the link yet."
          : ", results included: the page tells a reader whose results differ."}
      </p>
      <CopyButton text={link} label="Copy link" testId="share-copy-link" />
    </div>
  );
}

function CommandRow({ state }: { readonly state: State }): ReactNode {
  const command = state.onlyOneSide ? runCommand(state, state.focus) : compareCommand(state);
  return (
    <div className="share-row">
      <label htmlFor="share-command">
        {state.onlyOneSide
          ? `Side ${state.focus.toUpperCase()} as a command`
          : "The same as a command"}
      </label>
      <textarea
        id="share-command"
        className="share-text mono"
        readOnly
        rows={2}
        value={command}
        data-testid="share-command"
      />
      <CopyButton text={command} label="Copy as command" testId="share-copy-command" />
    </div>
  );
}

function SideCommands({ state }: { readonly state: State }): ReactNode {
  return (
    <details>
      <summary>Each side alone</summary>
      {SIDES.map((side) => (
        <div key={side} className="share-row">
          <span>
            <SideBadge side={side} /> <code>{runCommand(state, side)}</code>
          </span>
          <CopyButton
            text={runCommand(state, side)}
            label={`Copy ${side.toUpperCase()}`}
            testId={`share-copy-run-${side}`}
          />
        </div>
      ))}
    </details>
  );
}
