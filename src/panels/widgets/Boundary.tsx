// Where a panel that throws is stopped: the others go on, and what the viewer typed stays, since
// texts are kept with every key and knobs are in the address. It says what was thrown, how the runs
// are repeated natively, and offers to load the page again.

import { Component, type ReactNode } from "react";
import { replayOf } from "../../state/link/commands.ts";
import { SIDES } from "../../scenario/sides.ts";
import { ReportButton } from "./CopyButton.tsx";
import { SideBadge } from "./SideBadge.tsx";
import { isUnfetched, retryMissing } from "../../lib/lazily.tsx";
import { usePage, useSelect } from "../page/page.ts";

interface Props {
  /** What is inside, as a viewer calls it: "The latency panel". */
  readonly what: string;
  /** Closes what is inside, where the page does without it. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

interface Caught {
  readonly message: string | undefined;
}

export class Boundary extends Component<Props, Caught> {
  override state: Caught = { message: undefined };

  static getDerivedStateFromError(error: unknown): Caught {
    return { message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    const again = (): void => {
      retryMissing();
      this.setState({ message: undefined });
    };
    return (
      <Crashed
        what={this.props.what}
        message={message}
        again={again}
        onClose={this.props.onClose}
      />
    );
  }
}

interface CrashedProps {
  readonly what: string;
  readonly message: string;
  readonly again: () => void;
  readonly onClose: (() => void) | undefined;
}

function Crashed({ what, message, again, onClose }: CrashedProps): ReactNode {
  const { root } = usePage();
  const state = useSelect((each) => each);
  const commands = SIDES.map((side) => ({ side, command: replayOf(state, side) }));
  const report = [what, message, ...commands.map(({ command }) => command), window.location.href];
  return (
    <div className="strip strip-fault" role="alert" data-testid="crashed">
      <div className="fault-head">
        <strong>{what} failed.</strong>{" "}
        {isUnfetched(message)
          ? "Its script did not arrive: check the connection and try again."
          : "This is our fault, not the scenario’s."}{" "}
        Nothing you typed is lost: it is kept in this browser and in the address.
      </div>
      <pre className="fault-message" data-testid="crashed-message">
        {message}
      </pre>
      <dl className="fault-facts">
        {commands.map(({ side, command }) => (
          <div key={side}>
            <dt>
              <SideBadge side={side} /> replay natively
            </dt>
            <dd>
              <code data-testid={`crashed-replay-${side}`}>{command}</code>
            </dd>
          </div>
        ))}
      </dl>
      <div className="fault-buttons">
        <button type="button" className="button" data-testid="crashed-again" onClick={again}>
          Try again
        </button>
        <a className="button" href={root} data-testid="crashed-home">
          All scenarios
        </a>
        <button
          type="button"
          className="button"
          data-testid="crashed-reload"
          onClick={() => window.location.reload()}
        >
          Load the page again
        </button>
        <ReportButton lines={report} testId="crashed-copy" />
        {onClose !== undefined && (
          <button type="button" className="button" data-testid="crashed-close" onClick={onClose}>
            Close
          </button>
        )}
      </div>
    </div>
  );
}
