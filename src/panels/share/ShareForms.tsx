// The page's link in the forms that other places take: an iframe, Markdown, a deck, a talk, a code
// to photograph.

import { encode } from "uqr";
import type { ReactNode } from "react";
import { inFrame } from "../../links/frames.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { usePage } from "../page/page.ts";

/** Characters that a code of the smallest error correction holds in bytes. */
const QR_MAX = 2_900;
/** Light modules around a code, so that cameras find it. */
const QUIET = 4;

/** What has a meaning in an attribute. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** What has a meaning in the words of a Markdown link. */
function markdownWords(text: string): string {
  return text.replaceAll(/[\\[\]]/g, (sign) => `\\${sign}`);
}

interface FormsProps {
  /** The whole address, with its host. */
  readonly link: string;
  readonly question: string;
  /** Slug of the shipped scenario, which the build draws a picture of; none of the viewer's own. */
  readonly slug: string | undefined;
}

export function ShareForms({ link, question, slug }: FormsProps): ReactNode {
  const { root } = usePage();
  const { origin } = new URL(link);
  const inFrameOf = (frame: "embed" | "present"): string =>
    origin + inFrame(link.slice(origin.length), root, frame);
  const iframe = `<iframe src="${attribute(inFrameOf("embed"))}" title="${attribute(question)}" width="960" height="540" loading="lazy" allowfullscreen></iframe>`;
  const helper = `<script type="module" src="${attribute(`${origin}${root}helpers/embed.js`)}"></script>`;
  const words = markdownWords(question);
  return (
    <>
      <Form
        label="In a page or a deck: an iframe; the helper gives keys and focus back to the page"
        text={`${iframe}\n${helper}`}
        testId="iframe"
        rows={3}
      />
      <p className="muted" data-testid="share-cors">
        A page of another site can load the helper only if this web server sends
        Access-Control-Allow-Origin: * for helpers/.
      </p>
      <Form label="Markdown" text={`[${words}](${link})`} testId="markdown" rows={2} />
      {slug !== undefined && (
        <Form
          label="Markdown with the scenario’s picture, which shows none of your changes"
          text={`[![${words}](${origin}${root}pictures/s-${slug}.png)](${link})`}
          testId="markdown-picture"
          rows={3}
        />
      )}
      <p className="share-row">
        <a
          className="button"
          href={inFrameOf("present")}
          target="_blank"
          rel="noopener"
          data-testid="share-talk"
        >
          Present these steps
        </a>
        <span className="muted">
          Full window, clicker keys, and a speaker’s window with notes and a clock.
        </span>
      </p>
      {link.length > QR_MAX ? (
        <p className="muted">The link is too long for a QR code.</p>
      ) : (
        <QrCode text={link} />
      )}
    </>
  );
}

interface FormProps {
  readonly label: string;
  readonly text: string;
  readonly testId: string;
  readonly rows: number;
}

function Form({ label, text, testId, rows }: FormProps): ReactNode {
  const id = `share-${testId}`;
  return (
    <div className="share-row">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="share-text mono"
        readOnly
        rows={rows}
        value={text}
        data-testid={id}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={text} label="Copy" testId={`share-copy-${testId}`} />
    </div>
  );
}

/** Dark on light in every theme: cameras want it so. */
function QrCode({ text }: { readonly text: string }): ReactNode {
  const { data, size } = encode(text, { ecc: "L", border: QUIET });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <figure className="share-qr">
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label="The link as a QR code"
        shapeRendering="crispEdges"
        data-testid="share-qr"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <figcaption className="muted">The link, to be photographed from a slide.</figcaption>
    </figure>
  );
}
