// How those parts are fetched.

import { optionally } from "../../lib/lazily.tsx";

const late = (): Promise<typeof import("./late.ts")> => import("./late.ts");

export const BetOutcome = optionally<object>(async () => ({ default: (await late()).BetOutcome }));
export const GuidedBet = optionally<object>(async () => ({ default: (await late()).GuidedBet }));
export const PhoneDoors = optionally<{ readonly onList: () => void }>(async () => ({
  default: (await late()).PhoneDoors,
}));
