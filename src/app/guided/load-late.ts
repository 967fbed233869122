// How those parts are fetched.

import { optionally } from "../../lib/lazily.tsx";

const late = (): Promise<typeof import("./late.ts")> => import("./late.ts");

export const BetOutcome = optionally(() => late().then((part) => ({ default: part.BetOutcome })));
export const GuidedBet = optionally(() => late().then((part) => ({ default: part.GuidedBet })));
export const PhoneDoors = optionally(() => late().then((part) => ({ default: part.PhoneDoors })));
