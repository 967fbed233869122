// Whether the page is on a phone in a hand: its reader is near, whatever the theme.

import { createContext } from "react";

export const HandHeld = createContext(false);
