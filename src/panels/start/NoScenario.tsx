// What an embed and a talk show where the address carries no scenario of one's own.

import type { ReactNode } from "react";
import { usePage } from "../page/page.ts";

export function NoScenario(): ReactNode {
  const { root } = usePage();
  return (
    <main className="refused" data-testid="no-scenario">
      <h1>This address carries no scenario.</h1>
      <p>
        Write one in <a href={`${root}lab/`}>the lab</a> and copy its address from “Share”.
      </p>
    </main>
  );
}
