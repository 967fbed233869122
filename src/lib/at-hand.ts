// Whether the page is held in a hand: nobody reads it from afar, whatever its theme.

import { createContext } from "react";

export const AtHand = createContext(false);
