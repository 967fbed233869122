// What is to be said about the opened link: that it cannot be read, what was ignored in it, that
// its results differ from ours.

import { useState, type ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import type { LinkProblem } from "../../links/link-types.ts";
import { LINK_VERSION } from "../../links/link-upgrade.ts";
import { frameOf, inFrame } from "../../links/frames.ts";
import { readAddress } from "../../links/link.ts";
import { metricWords } from "../../state/figures/headline.ts";
import { resultMismatch, type Mismatch } from "../../state/select/selectors.ts";
import { Icon } from "../widgets/Icon.tsx";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { mismatchTable } from "../numbers/tables.ts";
import { followHere, useDispatch, usePage, useSelect } from "../page/page.ts";
import { Breakable } from "../widgets/Breakable.tsx";

/** One sentence about what is wrong. */
export function problemText(problem: LinkProblem): string {
  const detail = problem.detail === undefined ? "" : `: ${problem.detail}`;
  switch (problem.code) {
    case "cut":
      return problem.length === undefined
        ? "This link is cut: its end did not arrive."
        : `This link is cut: ${problem.arrived ?? 0} of ${problem.length} characters arrived.`;
    case "changed":
      return detail === ""
        ? "This link was changed on its way: its check value does not fit."
        : `What follows the # is no link of this page${detail}.`;
    case "newer":
      return `This link was made with version ${problem.version ?? "?"} of links; this page reads up to version ${LINK_VERSION}.`;
    case "malformed":
      return `This link is malformed${detail}.`;
    case "payload":
      return `The scenario in this link cannot be read${detail}.`;
    case "no_scenario":
      return "This link should carry a scenario of its own, but carries none.";
    case "not_a_link":
      return "This is not a link of this page.";
    case "no_preset":
      return `There is no scenario called “${problem.slug ?? ""}” here.`;
    case "no_page":
      return problem.path === ""
        ? "This address has changes, but names no scenario to change."
        : `There is no page “${problem.path ?? ""}” here.`;
  }
}

/** Replaces the lab: an unreadable link opens nothing. */
export function LinkRefused({
  problem,
  onGallery,
}: {
  readonly problem: LinkProblem;
  readonly onGallery: () => void;
}): ReactNode {
  const { catalogue, root, go } = usePage();
  const preset = catalogue.scenarios.find((entry) => entry.slug === problem.slug);
  return (
    <main className="refused" data-testid="link-refused" data-code={problem.code}>
      <h1>{problemText(problem)}</h1>
      {problem.slug !== undefined && problem.code !== "no_preset" && (
        <p>
          It was for the scenario <em>“{preset?.title ?? problem.slug}”</em>. Nothing was opened in
          its place.
        </p>
      )}
      {problem.code === "newer" && (
        <p>
          {navigator.onLine
            ? "Reload to get a newer page."
            : "You are offline, on a page that is stored here. Reload when the network is back."}
        </p>
      )}
      {problem.code === "no_page" && problem.near === undefined && (
        <p>Each scenario has a page of its own: choose one from the list.</p>
      )}
      {problem.near !== undefined && <DidYouMean near={problem.near} />}
      <div className="refused-buttons">
        {preset !== undefined && (
          <button
            type="button"
            className="button primary-button"
            data-testid="link-open-preset"
            onClick={() => go(`${root}s/${preset.slug}/`)}
          >
            Open the scenario as shipped
          </button>
        )}
        <button
          type="button"
          className="button"
          data-testid="link-go-home"
          onClick={() => {
            go(root);
            onGallery();
          }}
        >
          See all scenarios
        </button>
        {problem.code === "newer" && (
          <button type="button" className="button" onClick={() => window.location.reload()}>
            Reload
          </button>
        )}
      </div>
      <PasteLink />
    </main>
  );
}

/**
 * The page it may have been for, with everything the link says: opened on purpose, never by itself.
 */
function DidYouMean({ near }: { readonly near: string }): ReactNode {
  const { catalogue, root, go } = usePage();
  const [path = ""] = near.split("#");
  const title = catalogue.scenarios.find(({ slug }) => path === `s/${slug}/`)?.title;
  // An embed and a talk stay what they are: their pages have names of their own.
  const framed = inFrame(root + near, root, frameOf(window.location.pathname, root));
  // The pages of the docs are no part of this one.
  const isHere = title !== undefined || path === "lab/";
  return (
    <p>
      Did you mean{" "}
      <a
        href={framed}
        data-testid="link-near"
        onClick={(event) => isHere && followHere(event, () => go(root + near))}
      >
        {framed.slice(root.length).split("#")[0]}
      </a>
      {title === undefined ? "" : ` (${title})`}?
    </p>
  );
}

function PasteLink(): ReactNode {
  const { root, go } = usePage();
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const open = (): void => {
    const address = readAddress(text);
    setWrong(address === undefined);
    if (address === undefined) return;
    const path = address.slug === undefined ? "lab/" : `s/${address.slug}/`;
    go(`${root}${path}${address.fragment === "" ? "" : `#${address.fragment}`}`);
  };
  return (
    <form
      className="paste-link"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <label htmlFor="paste-link">Or paste the full link</label>
      <textarea
        id="paste-link"
        rows={3}
        value={text}
        data-testid="link-paste"
        onChange={(event) => setText(event.target.value)}
      />
      {wrong && (
        <p className="field-error" role="alert">
          {problemText({ code: "not_a_link", slug: undefined })}
        </p>
      )}
      <button type="submit" className="button" data-testid="link-paste-open">
        Open it
      </button>
    </form>
  );
}

export function LinkStrips(): ReactNode {
  const notes = useSelect((state) => state.linkNotes);
  const expected = useSelect((state) => state.expectation !== undefined);
  const dispatch = useDispatch();
  return (
    <>
      {notes.length > 0 && (
        <div className="strip strip-limit" role="status" data-testid="link-notes">
          <ul>
            {notes.map((note, index) => (
              <li key={index}>{note}</li>
            ))}
          </ul>
          <button
            type="button"
            className="button tiny"
            onClick={() => dispatch({ type: "link_notes_dismissed" })}
            aria-label="Dismiss"
          >
            <Icon name="close" />
          </button>
        </div>
      )}
      {expected && <Expectation />}
    </>
  );
}

function Expectation(): ReactNode {
  const state = useSelect((each) => each);
  const mismatch = resultMismatch(state);
  return mismatch === undefined ? undefined : <Differs mismatch={mismatch} />;
}

function Differs({ mismatch }: { readonly mismatch: Mismatch }): ReactNode {
  const dispatch = useDispatch();
  return (
    <div className="strip strip-limit" role="status" data-testid="result-differs">
      <div>
        <strong>Your numbers differ from the sender’s.</strong> The link was made with engine{" "}
        {plainText(mismatch.engineThen ?? "unknown")}; this page has {mismatch.engineNow}.
        <table className="differs">
          <thead>
            <tr>
              <th scope="col">metric</th>
              <th scope="col">side</th>
              <th scope="col" className="number">
                in the link
              </th>
              <th scope="col" className="number">
                here
              </th>
            </tr>
          </thead>
          <tbody>
            {mismatch.figures.map(({ path, side, then, now }) => (
              <tr key={`${path} ${side}`}>
                <th scope="row">
                  {metricWords(path).label}{" "}
                  <code>
                    <Breakable text={plainText(path)} />
                  </code>
                </th>
                <td>{side.toUpperCase()}</td>
                <td className="number">{plainText(then ?? "–")}</td>
                <td className="number">{now}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <TableFiles
          name="link"
          table={() => mismatchTable(mismatch.figures)}
          testId="result-differs"
        />
        {mismatch.unnamed.length > 0 && (
          <p>Figures in the link, without their names: {plainText(mismatch.unnamed.join(", "))}.</p>
        )}
      </div>
      <button
        type="button"
        className="button tiny"
        onClick={() => dispatch({ type: "expectation_dismissed" })}
        aria-label="Dismiss"
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
