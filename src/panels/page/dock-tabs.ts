// The tabs of the dock, which holds the answers.

/** `area` is there while an area is chosen. */
export const DOCK_TABS = ["why", "area", "latency", "story", "numbers", "sources"] as const;

export type DockTab = (typeof DOCK_TABS)[number];

export const DOCK_NAMES: Readonly<Record<DockTab, string>> = {
  why: "Why",
  area: "Area",
  latency: "Latency",
  story: "Story",
  numbers: "Numbers",
  sources: "Sources",
};
