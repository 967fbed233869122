// Several files in one text, as head and tail print them: under their names.

const NAME = /^==> (.{1,300}) <==\s*$/;
/** Files of a group that count; cpu.max beside them is a limit. */
const COUNTERS = /cpu(?:acct\.usage|\.stat(?:\.local)?)$/;

/** Lines without those of other counters than the first group's cpu.stat; and whether any were. */
export function firstCpuStat(lines: readonly string[]): {
  readonly lines: readonly string[];
  readonly others: boolean;
} {
  let first: string | undefined;
  let kept = true;
  let others = false;
  const left = lines.filter((line) => {
    const [, path] = NAME.exec(line) ?? [];
    if (path === undefined) return kept;
    if (path.endsWith("cpu.stat")) first ??= path;
    kept = path === first || !COUNTERS.test(path);
    others ||= path.endsWith("cpu.stat") && path !== first;
    return kept && path !== first;
  });
  return { lines: left, others };
}
