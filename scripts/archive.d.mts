export function version(): string;
export function archiveOf(site?: string): Uint8Array;
