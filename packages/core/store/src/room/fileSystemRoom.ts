import { statfsSync } from "node:fs";

/** Kept, since a thread may close the module for all that is called later. */
const statFileSystem = statfsSync;

/** Room of a file system, in bytes. */
export interface FileSystemRoom {
  /** What this user may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/**
 * Looks at the file system that a path lies on.
 *
 * @returns `undefined` where the system does not say
 * @cost one call of the system, some microseconds
 */
export function fileSystemRoom(path: string): FileSystemRoom | undefined {
  try {
    const { bavail, blocks, bsize } = statFileSystem(path);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : undefined;
  } catch {
    return undefined;
  }
}
