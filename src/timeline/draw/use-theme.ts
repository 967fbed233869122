// The colours to draw with: the theme's. In forced colours, ground and ink are the system's: a
// browser forces no colour upon a canvas, so the theme's would be a dark picture in a light system.
// States and marks keep their hue and their textures.

import { useContext, useMemo } from "react";
import { HandHeld } from "../../lib/hand-held.ts";
import { useMedia } from "../../lib/use-media.ts";
import type { ThemeName } from "../plot/timeline-props.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { THEMES } from "../plot/timeline-theme.ts";

/** Half of the greatest luminance that `brightnessOf` gives. */
const BRIGHT = 127;

/** At one and a half times the type a phone has no room for lanes. */
const IN_HAND = { ...THEMES, projector: { ...THEMES.projector, fontPx: THEMES.light.fontPx } };

/** `leastPx`: the smallest size of its labels, CSS px; `scale` multiplies the size. */
export function useTheme(name: ThemeName, leastPx = 0, scale = 1): TimelineTheme {
  const forced = useMedia("(forced-colors: active)");
  const drawn = useMedia("print") ? paperTheme(name) : name;
  const theme = (useContext(HandHeld) ? IN_HAND : THEMES)[drawn];
  return useMemo(() => {
    const fontPx = Math.round(Math.max(theme.fontPx, leastPx) * scale);
    const sized = fontPx === theme.fontPx ? theme : { ...theme, fontPx };
    return forced ? forcedTheme(sized, systemColour) : sized;
  }, [forced, theme, leastPx, scale]);
}

/**
 * The theme with colours for white paper and with the sizes of the screen, so that a sheet needs no
 * layout of its own.
 */
export function paperTheme(name: ThemeName): ThemeName {
  return name === "dark" ? "light" : name;
}

/**
 * `colourOf` says a system colour as `#RRGGBB`. Hues are those of the theme that was made for such
 * a ground.
 */
export function forcedTheme(
  theme: TimelineTheme,
  colourOf: (keyword: string) => string,
): TimelineTheme {
  const [ground, ink, dim, chosen] = ["Canvas", "CanvasText", "GrayText", "Highlight"].map(
    colourOf,
  ) as [string, string, string, string];
  const hues = brightnessOf(ground) > BRIGHT ? THEMES.light : THEMES.dark;
  const { name, fontPx, strokePx } = theme;
  const neutral = {
    background: ground,
    band: ground,
    text: ink,
    muted: ink,
    rule: dim,
    ipi: ink,
    selection: chosen,
    playhead: ink,
  };
  return { ...hues, ...neutral, name, fontPx, strokePx };
}

/** Brightness of `#RRGGBB`, 0 to 255. */
function brightnessOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(colour.slice(at, at + 2), 16),
  );
  return red * 0.2126 + green * 0.7152 + blue * 0.0722;
}

/** The system colour as the browser resolves it here. */
function systemColour(keyword: string): string {
  const probe = document.createElement("span");
  probe.style.setProperty("forced-color-adjust", "none");
  probe.style.color = keyword;
  document.body.append(probe);
  const channels = getComputedStyle(probe).color.match(/\d+/g) ?? [];
  probe.remove();
  return `#${[0, 1, 2]
    .map((at) =>
      Number(channels[at] ?? 0)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
