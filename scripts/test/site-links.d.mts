export function brokenLinks(folder: string): readonly string[];
