export function lawBroken(from: string, to: string): string | undefined;
