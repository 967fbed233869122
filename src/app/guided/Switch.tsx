// A switch of side B, with the words of what it has now.

import type { ReactNode } from "react";
import { SideBadge } from "../../panels/widgets/SideBadge.tsx";

interface SwitchProps {
  readonly label: string;
  readonly title: string;
  /** What B has now. */
  readonly words: string;
  /** Whether B has what it was given by the scenario. */
  readonly isOwn: boolean;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}

export function Switch({
  label,
  title,
  words,
  isOwn,
  disabled = false,
  onPress,
}: SwitchProps): ReactNode {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOwn}
      aria-label={label}
      className="guided-toggle"
      disabled={disabled}
      title={title}
      data-testid="guided-toggle"
      onClick={onPress}
    >
      <SideBadge side="b" />
      <span className="guided-track" aria-hidden="true" />
      <span className="guided-value">{words}</span>
    </button>
  );
}
