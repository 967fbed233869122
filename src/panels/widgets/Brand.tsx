// The sign and name of schedscope, which lead to the front page.

import type { ReactNode } from "react";
import { followHere, usePage } from "../page/page.ts";

export function Brand(): ReactNode {
  const { root, go } = usePage();
  return (
    <a
      className="brand"
      href={root}
      aria-label="schedscope, all scenarios"
      data-testid="home"
      onClick={(event) => followHere(event, () => go(root))}
    >
      <Logo /> <span className="brand-name">schedscope</span>
    </a>
  );
}

/** Four CPUs, one of them waiting. */
function Logo(): ReactNode {
  return (
    <svg className="logo" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <rect className="logo-run" x="1" y="2" width="12" height="3" rx="1" />
      <rect className="logo-wait" x="1" y="7" width="17" height="3" rx="1" />
      <rect className="logo-run" x="1" y="12" width="7" height="3" rx="1" />
      <rect className="logo-run" x="10" y="16" width="8" height="3" rx="1" />
    </svg>
  );
}
