export const CHROMIUM_FLAGS: readonly string[];
export function findChromium(): string | undefined;
