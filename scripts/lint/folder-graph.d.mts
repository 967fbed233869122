export type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
export function circleThrough(graph: FolderGraph, from: string, to: string): string | undefined;
