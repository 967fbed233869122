// A table as files: the same figures, exact, for other programs.

import { useState, type ReactNode } from "react";
import { csvOf, jsonOf, type Table } from "../../lib/csv.ts";
import { download } from "../../lib/download.ts";
import { useSelect } from "../page/page.ts";
import "./table-files.css";

interface TableFilesProps {
  /** What the table shows: the files are named by it and the scenario. */
  readonly name: string;
  /** Made when asked for. */
  readonly table: () => Table;
  /** The buttons' test ids are this and `-csv`, `-json`. */
  readonly testId: string;
}

export function TableFiles({ name, table, testId }: TableFilesProps): ReactNode {
  const slug = useSelect((state) => state.entry.slug);
  const file = `${slug}-${name}`;
  // A hidden tab gets no new runs: its table shows the runs from when it was hidden, and must not
  // be saved as the runs on screen. React removes the place while the tab is hidden.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const save = (format: "csv" | "json"): void => {
    if (format === "csv") download(`${file}.csv`, csvOf(table()), "text/csv");
    else download(`${file}.json`, jsonOf(table()), "application/json");
  };
  return (
    <span ref={setPlace} className="data-export">
      {place !== null &&
        (["csv", "json"] as const).map((format) => (
          <button
            key={format}
            type="button"
            className="button tiny"
            title={`Save ${file}.${format}`}
            data-testid={`${testId}-${format}`}
            onClick={() => save(format)}
          >
            {format.toUpperCase()}
          </button>
        ))}
    </span>
  );
}
