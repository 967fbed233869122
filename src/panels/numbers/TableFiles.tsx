// A table as files: the same figures, exact, for other programs.

import { useState, type ReactNode } from "react";
import { FORMATS, TABLE_FORMATS, type TableFormat } from "../../engine/gen/formats.ts";
import type { Table } from "../../lib/csv.ts";
import { download } from "../../lib/download.ts";
import { useSelect } from "../page/page.ts";
import { TABLE_WRITERS } from "./table-writers.ts";
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
  const save = (format: TableFormat): void => {
    const { extension, mediaType } = FORMATS[format];
    download(`${file}.${extension}`, TABLE_WRITERS[format](table()), mediaType);
  };
  return (
    <span ref={setPlace} className="data-export">
      {place !== null &&
        TABLE_FORMATS.map((format) => (
          <button
            key={format}
            type="button"
            className="button tiny"
            title={`Save ${file}.${FORMATS[format].extension}`}
            data-testid={`${testId}-${format}`}
            onClick={() => save(format)}
          >
            {FORMATS[format].title}
          </button>
        ))}
    </span>
  );
}
