// Words of a shell command as people paste it: quotes, backslashes at line ends, a prompt or `sudo`
// before it. Nothing is expanded.

/** Most words of a command that are looked at. */
const WORDS_MAX = 500;

export function shellWords(text: string): readonly string[] {
  const joined = text.replaceAll(/\\\r?\n/g, " ");
  const words = joined.match(/(?:'[^']*'|"[^"]*"|[^\s'"]|['"])+/g) ?? [];
  return words.slice(0, WORDS_MAX).map((word) => word.replaceAll(/['"]/g, ""));
}

/**
 * The words behind the program's name, up to the end of its command; undefined where the program is
 * not called.
 */
export function wordsAfter(text: string, program: RegExp): readonly string[] | undefined {
  const words = shellWords(text);
  const at = words.findIndex((word) => program.test(word));
  if (at < 0) return undefined;
  const rest = words.slice(at + 1);
  const end = rest.findIndex((word) => /^(?:[|;&]+|>+.*)$/.test(word));
  return end < 0 ? rest : rest.slice(0, end);
}
