// What is asked more of a fit: a bound for bursts, and how long one was measured to take.

import { useState, type ReactNode } from "react";
import type { Wish } from "../../engine/paste-protocol.ts";
import { parseTime } from "../../scenario/knob-values.ts";

/** Mistyped times ask nothing, and are marked. */
export function WishFields({ onWish }: { readonly onWish: (wish: Wish) => void }): ReactNode {
  const [bound, setBound] = useState("");
  const [burst, setBurst] = useState("");
  const wished = (nextBound: string, nextBurst: string): void =>
    onWish({ boundUs: usOf(nextBound), burstUs: usOf(nextBurst) });
  return (
    <div className="paste-wishes">
      <TimeField
        label="A burst must end within"
        text={bound}
        testId="paste-within"
        onText={(text) => {
          setBound(text);
          wished(text, burst);
        }}
      />
      <TimeField
        label="Measured: one burst takes"
        text={burst}
        testId="paste-burst"
        onText={(text) => {
          setBurst(text);
          wished(bound, text);
        }}
      />
    </div>
  );
}

interface TimeProps {
  readonly label: string;
  readonly text: string;
  readonly testId: string;
  readonly onText: (text: string) => void;
}

function TimeField({ label, text, testId, onText }: TimeProps): ReactNode {
  const isWrong = text.trim() !== "" && usOf(text) === undefined;
  return (
    <label className="paste-label">
      {label}
      <input
        className="input mono"
        value={text}
        placeholder="50ms"
        size={8}
        aria-invalid={isWrong}
        data-testid={testId}
        onChange={(event) => onText(event.target.value)}
      />
      {isWrong && <span className="field-error">expected a time such as 50ms</span>}
    </label>
  );
}

function usOf(text: string): number | undefined {
  const ns = parseTime(text);
  return ns === undefined || ns <= 0 ? undefined : ns / 1_000;
}
