import { join } from "node:path";
import { type Compaction, compactEnvironment } from "@vedette/store";
import { lockDirectory } from "../machine/dataDirectory.js";
import { openOffline, type ReportProgress } from "./OfflineData.js";

/** The size of a file before and after. */
export interface CompactedFile extends Compaction {
  readonly name: "chain" | "state";
}

/**
 * Writes the files of a data directory anew, one after the other, without the room that is free in them.
 *
 * @throws {DataDirectoryError}, {StoreError} `noRoom`
 */
export async function compactData(
  path: string,
  shard: string,
  report: ReportProgress,
): Promise<readonly CompactedFile[]> {
  // Opened for its checks and closed again: a file must not be open while it is rewritten.
  await (await openOffline(path, { isWritten: false, shard }))[Symbol.asyncDispose]();
  const lock = await lockDirectory(path);
  try {
    const files: CompactedFile[] = [];
    for (const name of ["chain", "state"] as const) {
      report(`compacting ${name}`, files.length, 2);
      files.push({ name, ...(await compactEnvironment(join(path, name), name)) });
    }
    return files;
  } finally {
    await new Promise<void>((done) => lock.close(() => done()));
  }
}
