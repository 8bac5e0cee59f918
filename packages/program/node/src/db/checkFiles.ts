import { join } from "node:path";
import { yieldToEventLoop } from "@vedette/chain";
import { checkEnvironment, damageText } from "@vedette/store";
import { acquireDirectoryLock } from "../machine/dataDirectory.js";
import { type ReportProgress, requireStores, storeNames } from "./OfflineData.js";

/** The faults in the files of a data directory. */
export interface FileProblems {
  /** The first hundred. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

/** Maximum number of problems that are listed one by one. */
const maxReported = 100;

/**
 * Looks through the files of a data directory that a node has left: whether each page that is in use, and each value, is
 * what was written. Nothing is opened that trusts them, and nothing is written.
 *
 * @throws {DataDirectoryError} in use; {StoreError} not there; what the signal is aborted with
 */
export async function checkFiles(path: string, report: ReportProgress, signal: AbortSignal): Promise<FileProblems> {
  requireStores(path);
  await using _taken = await acquireDirectoryLock(path);
  const problems: string[] = [];
  let problemCount = 0;
  for (const name of storeNames) {
    const damaged = (text: string) => {
      problemCount += 1;
      if (problems.length < maxReported) problems.push(`${join(name, "data.mdb")}: ${text}`);
    };
    await checkEnvironment(
      join(path, name),
      (damage) => damaged(damageText(damage)),
      async (done, total) => {
        report(`pages of ${name}`, done, total);
        await yieldToEventLoop();
        signal.throwIfAborted();
      },
    );
  }
  return { problems, problemCount };
}
