/** Bytes in, bytes out, keys ordered as unsigned bytes; nothing compressed or kept by the library. */
export const databaseOptions = {
  encoding: "binary",
  keyEncoding: "binary",
  compression: false,
  cache: false,
} as const;

export const dataFile = "data.mdb";
export const lockFile = "lock.mdb";
/** An environment that is being made, and its lock. */
export const unfinishedFile = "unfinished.mdb";
export const unfinishedLock = `${unfinishedFile}-lock`;
export const knownFiles: ReadonlySet<string> = new Set([dataFile, lockFile, unfinishedFile, unfinishedLock]);

/** The table and keys that mark an environment as ours and state its layout. */
export const formatTable = "format";
export const formatKey = new TextEncoder().encode("format");
/** Beside the format: the checksum of its text. */
export const formatSumKey = new TextEncoder().encode("sum");
/**
 * Since the second one old blocks are packed, and nodes stored as changes; since the third one what is known of blocks
 * names bonds by their hash, and what blocks did has shorter keys; since the fourth one each value has a seal. Earlier
 * versions read none of that.
 */
export const format = "vedette-4";
/** The format that earlier ones get when they are opened for writing: the last one without seals. */
export const unsealedFormat = "vedette-3";
export const unsealedFormats: ReadonlySet<string> = new Set(["vedette-1", "vedette-2", unsealedFormat]);
/** Any version's. */
export const formatPattern = /^vedette-[1-9][0-9]*$/;
