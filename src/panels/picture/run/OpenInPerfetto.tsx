// The button that gives a trace to Perfetto's page, and the address of that page.

import { useId, useState, type ReactNode } from "react";
import { writeAddress } from "../../../links/link.ts";
import { contentOf } from "../../../state/link/link-state.ts";
import { usePage } from "../../page/page.ts";
import type { Saving, Work } from "../../widgets/use-saving.ts";
import { handOver, type PerfettoTrace } from "./hand-over.ts";
import type { MadeRun } from "./make-run.ts";
import { checkedAddress, keepAddress, keptAddress, PERFETTO } from "./perfetto-address.ts";

interface PerfettoProps {
  readonly saving: Saving;
  readonly make: (work: Work) => Promise<MadeRun>;
}

const storage = (): Storage => window.localStorage;

export function OpenInPerfetto({ saving, make }: PerfettoProps): ReactNode {
  const { root } = usePage();
  const [address, setAddress] = useState(() => keptAddress(root, storage));
  const traceOf = useTrace(make);
  const checked = checkedAddress(address);
  const url = "url" in checked ? checked.url : undefined;
  const open = ({ href, origin }: URL): void => {
    // Now and not when the trace is made: a browser opens a window for a press alone.
    const there = window.open(href);
    saving.start(async (work) => {
      if (there === null)
        throw new Error(
          "the browser blocked the new window. Allow pop-ups for this page and press again.",
        );
      const trace = async (signal: AbortSignal): Promise<PerfettoTrace> => {
        const made = await traceOf({ ...work, signal });
        work.onProgress({ words: `Waiting for an answer from ${origin}` });
        return made;
      };
      await handOver({ here: window, there, origin }, trace, work.signal);
      return `${origin} has the trace. Perfetto may ask in its tab whether to open it.`;
    }, "Perfetto did not get the trace");
  };
  const change = (text: string): void => {
    setAddress(text);
    if ("url" in checkedAddress(text)) keepAddress(root, storage, text);
  };
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={saving.busy || url === undefined}
        data-testid="run-perfetto"
        onClick={() => url !== undefined && open(url)}
      >
        Open in Perfetto
      </button>
      <p className="muted">
        Opens {url?.origin ?? "Perfetto"} in a new tab and gives the trace to that page inside this
        browser. schedscope uploads nothing.
      </p>
      <Address address={address} wrong={"wrong" in checked ? checked.wrong : ""} onText={change} />
    </>
  );
}

/** The trace as Perfetto takes it, with the link that shows the runs here again. */
function useTrace(make: PerfettoProps["make"]): (work: Work) => Promise<PerfettoTrace> {
  const { store, root } = usePage();
  return async (work) => {
    const link = writeAddress(contentOf(store.getState()));
    const { file, bytes } = await make(work);
    return {
      buffer: await new Blob([...bytes]).arrayBuffer(),
      title: file,
      fileName: file,
      ...(link === undefined ? {} : { url: `${window.location.origin}${root}${link}` }),
    };
  };
}

interface AddressProps {
  readonly address: string;
  /** What is wrong with it; "" if nothing is. */
  readonly wrong: string;
  readonly onText: (text: string) => void;
}

function Address({ address, wrong, onText }: AddressProps): ReactNode {
  const errorId = useId();
  return (
    <details className="run-address">
      <summary data-testid="run-perfetto-more">Perfetto’s address</summary>
      <div className="picture-choices">
        <input
          className="input"
          type="url"
          aria-label="Perfetto’s address"
          value={address}
          aria-invalid={wrong !== ""}
          aria-describedby={errorId}
          spellCheck={false}
          data-testid="run-perfetto-address"
          onChange={(event) => onText(event.target.value)}
        />
        {address !== PERFETTO && (
          <button type="button" className="button quiet" onClick={() => onText(PERFETTO)}>
            Use {PERFETTO}
          </button>
        )}
      </div>
      <p id={errorId} className={wrong === "" ? "muted" : "field-error"}>
        {wrong === "" ? "This browser keeps the address." : wrong}
      </p>
    </details>
  );
}
