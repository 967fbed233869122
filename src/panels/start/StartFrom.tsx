// What an own scenario can start from: a template or a shipped scenario. What becomes of the text
// at hand is its owner's.

import type { ReactNode } from "react";
import { usePage } from "../page/page.ts";
import { TEMPLATES } from "./templates.ts";
import "./start.css";

interface StartFromProps {
  readonly testId: string;
  readonly onChoose: (text: string) => void;
}

export function StartFrom({ testId, onChoose }: StartFromProps): ReactNode {
  const { catalogue } = usePage();
  const choices = [
    { label: "Templates", choices: TEMPLATES },
    {
      label: "Shipped scenarios",
      choices: catalogue.scenarios.map(({ slug, title, text }) => ({
        id: slug,
        name: `${title} (${slug})`,
        text,
      })),
    },
  ];
  return (
    <label className="start-from">
      Start from{" "}
      <select
        className="select"
        value=""
        data-testid={testId}
        onChange={({ target }) => {
          const chosen = choices
            .flatMap((group) => group.choices)
            .find(({ name }) => name === target.value);
          if (chosen !== undefined) onChoose(chosen.text);
        }}
      >
        <option value="">a template or a scenario</option>
        {choices.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.choices.map(({ name, id }) => (
              <option key={name} value={name} data-testid={`${testId}-${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
