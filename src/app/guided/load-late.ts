// The parts of the guided page that its first picture does without.

import { optionally } from "../../lib/lazily.tsx";

export const BetOutcome = optionally(() => import("./BetOutcome.tsx"));
export const GuidedBet = optionally(() => import("./GuidedBet.tsx"));
export const PhoneDoors = optionally(() => import("./PhoneDoors.tsx"));
export const Now = optionally(() => import("./Now.tsx"));
export const VariantToggle = optionally(() => import("./VariantToggle.tsx"));
