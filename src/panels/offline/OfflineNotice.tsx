// Says in the lab and in a lesson, in passing, that everything opens without a network now, and
// that a newer build of the site is here: the viewer decides when to reload.

import { useEffect, useState, type ReactNode } from "react";
import { wantsLessData } from "../../lib/save-data.ts";
import { useOffline } from "./use-offline.ts";

/**
 * A visit that lasts so long is no glance; by then the page's own scripts and runs have come, ms.
 */
const STAY_MS = 10_000;
/** How long a passing message is shown, ms. */
const PASSING_MS = 8_000;

export function OfflineNotice(): ReactNode {
  const { copy, newer, keeper } = useOffline();
  const [later, setLater] = useState(false);
  useEffect(() => {
    if (wantsLessData()) return undefined;
    // Where a copy is kept already, looking costs nothing.
    const begin = setTimeout(keeper.begin, keeper.kept ? 0 : STAY_MS);
    return () => clearTimeout(begin);
  }, [keeper]);
  if (newer && !later) {
    return (
      <p className="offline-notice" role="status" data-testid="newer">
        A new version is here.
        <button
          type="button"
          className="button"
          data-testid="newer-reload"
          onClick={keeper.takeNewer}
        >
          Reload
        </button>
        <button
          type="button"
          className="button"
          data-testid="newer-later"
          onClick={() => setLater(true)}
        >
          Later
        </button>
      </p>
    );
  }
  // Not on every visit: only when it has just become so.
  return copy.kind === "ready" && !keeper.kept && <Ready />;
}

function Ready(): ReactNode {
  const [isNew, setIsNew] = useState(true);
  useEffect(() => {
    const end = setTimeout(() => setIsNew(false), PASSING_MS);
    return () => clearTimeout(end);
  }, []);
  return (
    <p
      className="offline-notice passing"
      role="status"
      data-testid="offline"
      data-copy="ready"
      data-passed={!isNew}
    >
      Ready offline
    </p>
  );
}
