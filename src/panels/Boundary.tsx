// Where a panel that throws is stopped: the others go on, and what the viewer typed stays, since texts are kept with every key and
// knobs are in the address. It says what was thrown, how the runs are repeated natively, and offers to load the page again.

import { Component, type ReactNode } from "react";
import { replayOf } from "../state/links/commands.ts";
import { SIDES } from "../state/sides.ts";
import { CopyButton, SideBadge } from "./bits.tsx";
import { useSelect } from "./page.ts";

interface Props {
  /** What is inside, as a viewer calls it: "The latency panel". */
  readonly what: string;
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
    return message === undefined ? this.props.children : <Crashed what={this.props.what} message={message} />;
  }
}

function Crashed({ what, message }: { readonly what: string; readonly message: string }): ReactNode {
  const state = useSelect((each) => each);
  const commands = SIDES.map((side) => ({ side, command: replayOf(state, side) }));
  const report = [what, message, ...commands.map(({ command }) => command), window.location.href].join("\n");
  return (
    <div className="strip strip-fault" role="alert" data-testid="crashed">
      <div className="fault-head">
        <strong>{what} failed.</strong> This is our fault, not the scenario’s. Nothing you typed is lost: it is kept in this browser and in
        the address.
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
        <button type="button" className="button" data-testid="crashed-reload" onClick={() => window.location.reload()}>
          Load the page again
        </button>
        <CopyButton text={report} label="Copy a report" testId="crashed-copy" />
      </div>
    </div>
  );
}
