// How late wake-ups were, with what their maximum can say of a herd.

import type { ReactNode } from "react";
import { HerdSentence } from "./HerdSentence.tsx";
import { Latency } from "./Latency.tsx";

export default function LatencyTab(): ReactNode {
  return (
    <>
      <Latency />
      <HerdSentence />
    </>
  );
}
