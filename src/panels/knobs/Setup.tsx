// The place of the sentence that says what is compared: the first picture does not wait for it.

import { atLeisure, optionally } from "../../lib/lazily.tsx";

export const Setup = optionally(() => atLeisure(() => import("./SetupWords.tsx")));
