export const ownNode: string;
export const nodeBinaries: Readonly<Record<string, string>>;
export function nodeFolder(version: string, cache: string): string;
