// Forced colours on canvases: ground and ink are the system's, hues those made for such a ground.

import { expect, test } from "vitest";
import { THEMES } from "../plot/timeline-theme.ts";
import { forcedTheme } from "./use-theme.ts";

const SYSTEM: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  black: { Canvas: "#000000", CanvasText: "#ffffff", GrayText: "#3ff23f", Highlight: "#1aebff" },
  white: { Canvas: "#ffffff", CanvasText: "#000000", GrayText: "#600000", Highlight: "#37006e" },
};

test.each(Object.entries(SYSTEM))(
  "on %s: ground, ink and what is chosen are the system's, sizes the theme's",
  (_name, system) => {
    for (const theme of Object.values(THEMES)) {
      const forced = forcedTheme(theme, (keyword) => system[keyword] ?? "");
      expect(forced).toMatchObject({
        background: system["Canvas"],
        text: system["CanvasText"],
        muted: system["CanvasText"],
      });
      expect(forced).toMatchObject({
        selection: system["Highlight"],
        name: theme.name,
        fontPx: theme.fontPx,
        strokePx: theme.strokePx,
      });
    }
  },
);

test("hues are those of the theme for such a ground, whatever theme was chosen", () => {
  const of = (ground: "black" | "white") =>
    forcedTheme(THEMES.projector, (keyword) => SYSTEM[ground]?.[keyword] ?? "");
  expect(of("black").spin).toBe(THEMES.dark.spin);
  expect(of("white").spin).toBe(THEMES.light.spin);
});
