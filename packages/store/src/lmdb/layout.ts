/** Bytes in, bytes out, keys ordered as unsigned bytes; nothing compressed or kept by the library. */
export const databaseOptions = {
  encoding: "binary",
  keyEncoding: "binary",
  compression: false,
  cache: false,
} as const;

export const dataFile = "data.mdb";
/** An environment that is being made, and its lock. */
export const unfinishedFile = "unfinished.mdb";
export const unfinishedLock = `${unfinishedFile}-lock`;
export const knownFiles: ReadonlySet<string> = new Set([dataFile, "lock.mdb", unfinishedFile, unfinishedLock]);

/** Where an environment says that it is ours, and how it is laid out. */
export const formatTable = "format";
export const formatKey = new TextEncoder().encode("format");
export const format = "vedette-1";
