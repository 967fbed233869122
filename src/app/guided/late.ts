// The parts of the guided page that its first picture does without, as one script.

export { default as BetOutcome } from "./BetOutcome.tsx";
export { default as GuidedBet } from "./GuidedBet.tsx";
export { default as PhoneDoors } from "./PhoneDoors.tsx";
