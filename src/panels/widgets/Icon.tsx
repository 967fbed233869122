// Icons as paths of our own: no font can lack them.

import type { ReactNode } from "react";

const PATHS = {
  play: "M5 3.2v9.6L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  stepBack: "M4 3h2v10H4zM13 3v10L6.5 8z",
  stepOn: "M10 3h2v10h-2zM3 3v10l6.5-5z",
  loop: "M4.6 3.2h6.6V1.4L14 4.1l-2.8 2.7V5H4.6A1.8 1.8 0 0 0 2.8 6.8V8H1V6.8a3.6 3.6 0 0 1 3.6-3.6zM11.4 12.8H4.8v1.8L2 11.9l2.8-2.7V11h6.6a1.8 1.8 0 0 0 1.8-1.8V8H15v1.2a3.6 3.6 0 0 1-3.6 3.6z",
  previous: "M10.2 2.6 11.2 3.6 6.8 8l4.4 4.4-1 1L4.8 8z",
  next: "M5.8 2.6 4.8 3.6 9.2 8l-4.4 4.4 1 1L11.2 8z",
  undo: "M6.5 3 2.8 6.2 6.5 9.4V7.2h2.7a2.4 2.4 0 0 1 0 4.8H6v1.6h3.2a4 4 0 0 0 0-8H6.5z",
  redo: "M9.5 3l3.7 3.2-3.7 3.2V7.2H6.8a2.4 2.4 0 0 0 0 4.8H10v1.6H6.8a4 4 0 0 1 0-8h2.7z",
  dark: "M6.5 2.5a5.8 5.8 0 1 0 7 7A5 5 0 0 1 6.5 2.5z",
  light:
    "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.3 1h1.4v2.4H7.3zM7.3 12.6h1.4V15H7.3zM1 7.3h2.4v1.4H1zM12.6 7.3H15v1.4h-2.4zM2.6 3.6l1-1 1.7 1.7-1 1zM10.7 11.7l1-1 1.7 1.7-1 1zM2.6 12.4l1.7-1.7 1 1-1.7 1.7zM10.7 4.3l1.7-1.7 1 1-1.7 1.7z",
  projector:
    "M1.5 2.5h13v1.4h-.8v6.6H8.7v1.2l2.6 2.2-.9 1L8 12.9l-2.4 2-.9-1 2.6-2.2v-1.2h-5V3.9h-.8zM3.7 3.9v5.2h8.6V3.9z",
  again:
    "M8 2.5a5.5 5.5 0 1 0 5.4 6.6l-1.5-.3A4 4 0 1 1 8 4c1.1 0 2.1.5 2.9 1.2L9 7h4.6V2.4l-1.6 1.7A5.5 5.5 0 0 0 8 2.5z",
  dice: "M3 2h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zm.5 1.5v9h9v-9zM5.6 4.6a1 1 0 1 1 0 2 1 1 0 0 1 0-2zm4.8 0a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM8 7a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM5.6 9.4a1 1 0 1 1 0 2 1 1 0 0 1 0-2zm4.8 0a1 1 0 1 1 0 2 1 1 0 0 1 0-2z",
  split: "M7.3 14V9.4L3.9 6V8H2.5V3.6h4.4V5H5l3 3 3-3H9.1V3.6h4.4V8h-1.4V6L8.7 9.4V14z",
  join: "M7.3 2h1.4v6.2l2.6-2.6 1 1L8 10.9 3.7 6.6l1-1 2.6 2.6zM3 12.5h10V14H3z",
  swap: "M4.8 1.8 8 5 7 6 5.5 4.5v8H4.1v-8L2.6 6l-1-1zM11.9 3.5v8L13.4 10l1 1-3.2 3.2L8 11l1-1 1.5 1.5v-8z",
  close: "M3.6 2.6 8 7l4.4-4.4 1 1L9 8l4.4 4.4-1 1L8 9l-4.4 4.4-1-1L7 8 2.6 3.6z",
  here: "M2 2h6v2.2L5.7 6.5v7.5H4.3V6.5L2 4.2zM8.5 9.3h3.2L10.2 7.8l1-1L14.4 10l-3.2 3.2-1-1 1.5-1.5H8.5z",
  find: "M7 2.5a4.5 4.5 0 1 0 2.6 8.2l3.3 3.3 1.1-1.1-3.3-3.3A4.5 4.5 0 0 0 7 2.5zM7 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  stopAt:
    "M7.25 1h1.5v3.1a4 4 0 0 1 0 7.8V15h-1.5v-3.1a4 4 0 0 1 0-7.8zM8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  down: "M3.5 5.5 8 10l4.5-4.5 1 1L8 12 2.5 6.5z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
