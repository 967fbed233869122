// Parts of the page that nobody sees until they are needed; they come once the picture is there.

import type { ReactNode } from "react";
import { PasteHost } from "./paste/PasteHost.tsx";
import Said from "./Said.tsx";

export default function Later(): ReactNode {
  return (
    <>
      <Said />
      <PasteHost />
    </>
  );
}
