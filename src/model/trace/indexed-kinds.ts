// Kinds of rows of which there are many and that are soon asked for: their lists are made when the
// page has come to rest.

import { KIND } from "../../engine/gen/catalogue.ts";

export const SWITCHES: readonly number[] = [KIND.SchedSwitch];
/** Locks of the kernel that are taken. */
export const ACQUIRES: readonly number[] = [KIND.LockAcq];
/** Both ends of each hold of such a lock. */
export const HOLDS: readonly number[] = [KIND.LockAcq, KIND.LockRel];

export const OFTEN_ASKED = [SWITCHES, ACQUIRES, HOLDS];
