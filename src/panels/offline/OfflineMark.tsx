// Whether a talk can be given without a network, and that a newer build is here. Small: an audience
// looks on.

import type { ReactNode } from "react";
import { copyWords, useOffline } from "./use-offline.ts";

export function OfflineMark(): ReactNode {
  const { copy, newer, keeper } = useOffline();
  const said = copyWords(copy);
  return (
    <>
      {said !== undefined && (
        <span
          className="talk-offline"
          title={said[1]}
          role="status"
          data-testid="offline"
          data-copy={copy.kind}
        >
          {said[0]}
        </span>
      )}
      {newer && (
        <button
          type="button"
          className="button"
          title="A new version of the site is here. Reload the talk with it"
          data-testid="newer-reload"
          onClick={keeper.takeNewer}
        >
          New version: reload
        </button>
      )}
    </>
  );
}
