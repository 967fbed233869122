export class Explained extends Error {}
export const ROOT: string;
export function optionsOf(
  args: readonly string[],
  known: Readonly<Record<string, string>>,
): Readonly<Record<string, string | boolean | undefined>>;
