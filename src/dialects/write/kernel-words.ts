// Which kernel to boot for a run: its version, or the release whose code the run has in place of
// its version's; a patch that no release has is named.

import type { RunMeta } from "../../engine/gen/types.ts";
import { valueText } from "../../scenario/knob-values.ts";
import { kernelText } from "../../scenario/path-words.ts";
import { hasLine } from "./real-commands.ts";

type Kernel = Pick<RunMeta, "kernel" | "knobs" | "own_switches">;

/**
 * A release with a switch's code. Code of another switch, or of none of these values, is in no
 * release. Each was read there, or in the nearest release that could be had: docs/model/sources.md,
 * "Which release has which code".
 */
const RELEASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "kernel.fair": { cfs: "6.5", eevdf: "6.6" },
  "kernel.nohz_ilb": { pre516: "5.15", needs_update: "5.16", early_out: "6.11" },
  "kernel.rt_balance": {
    passive_2624: "2.6.24",
    active_2008_routed: "2.6.25",
    active_plist: "2.6.30",
    ipi_4_1: "4.1",
    ipi_4_16_skip1: "4.15",
    ipi_2026_noself: "7.0",
  },
  "kernel.rt_throttle": { dl_server_6_12: "6.12" },
};

/** No switch for it alone is known: withoutTool() says what there is. */
const SAID_ELSEWHERE = "kernel.load_balance";

/** Models of preemption that were posted and never released, by how their names begin. */
const SERIES: Readonly<Record<string, string>> = {
  rfc2023: "the preemption series of November 2023",
  auto2024: "the preemption series of May 2024",
};

/** "boot 4.19 (the run is 5.4 with CFS bandwidth 4.19)". */
export function kernelWords(run: Kernel): string {
  const { knobs, own_switches: own } = run;
  const kernel = kernelText(run);
  const valueOf = (path: string): string =>
    valueText(knobs.find((knob) => knob.path === path)?.value ?? "");
  const version = valueOf("kernel.version");
  const code = own.filter(
    ({ path, value }) =>
      path !== SAID_ELSEWHERE &&
      (!hasLine(path) || releaseOf(path, valueText(value)) !== undefined),
  );
  const releases = code.map(({ path, value }) => releaseOf(path, valueText(value)));
  const series = SERIES[valueOf("kernel.preempt").split("-")[0] ?? ""];
  const posted = version.endsWith("-push-ipi")
    ? [`${version.split("-")[0] ?? ""} with the patch of February 2015`]
    : [];
  if (series !== undefined) return `no release has this: ${kernel} with ${series}`;
  const [release] = releases;
  if (release === undefined)
    return releases.length > 0 ? `no release has this: ${kernel}` : `boot ${posted[0] ?? version}`;
  return releases.some((each) => each !== release)
    ? `no release has this: ${kernel}`
    : `boot ${release} (the run is ${kernel})`;
}

function releaseOf(path: string, value: string): string | undefined {
  if (path === "kernel.bandwidth") return /^\d+\.\d+(?:\.\d+)?$/.test(value) ? value : undefined;
  return RELEASES[path]?.[value];
}

/** One sentence for both sides, or one for each. */
export function kernelSentences(a: Kernel, b: Kernel | undefined): string {
  const [one, other] = [kernelWords(a), kernelWords(b ?? a)];
  if (one === other) return `Kernel: ${one}.`;
  return `Kernel of A: ${one}. Kernel of B: ${other}.`;
}
