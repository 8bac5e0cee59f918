import { statfsSync } from "node:fs";

/** Kept, since a thread may close the module for all that is called later. */
const statFileSystem = statfsSync;

/** Room of a file system, in bytes. */
export interface FreeSpace {
  /** The bytes that this user may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/**
 * Returns the free room of a path's file system.
 *
 * @returns `undefined` if the system does not report it
 * @cost one call of the system, some microseconds
 */
export function freeSpaceOf(path: string): FreeSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statFileSystem(path);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : undefined;
  } catch {
    return undefined;
  }
}
