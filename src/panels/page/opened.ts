/** What lies open over the page. */
export type Opened =
  | "picker"
  | "share"
  | "picture"
  | "help"
  | "palette"
  | "sweep"
  | "sizes"
  | "which"
  | "editor"
  | "variants"
  | undefined;
