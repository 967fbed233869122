// The workers that the page makes and ends, counted.

import { QUICK, type Lab } from "./lab.ts";

declare global {
  interface Window {
    /**
     * The page's workers in the order in which it made them; the browser's own list has another
     * one.
     */
    workersMade?: Worker[];
    /** How many of them it has ended. */
    workersEnded?: number;
  }
}

/** From now on, before the page is opened. */
export async function countWorkers(lab: Lab): Promise<void> {
  await lab.page.addInitScript(() => {
    const made: Worker[] = [];
    window.workersMade = made;
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        made.push(this);
      }
      override terminate(): void {
        window.workersEnded = (window.workersEnded ?? 0) + 1;
        super.terminate();
      }
    };
  });
}

/** Opens a short run whose workers are counted; the digest of A. */
export async function openCounted(lab: Lab): Promise<string> {
  await countWorkers(lab);
  await lab.open(QUICK);
  return lab.digest("a");
}
