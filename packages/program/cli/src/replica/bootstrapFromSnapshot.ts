import { setTimeout as sleep } from "node:timers/promises";
import { info, type Log, warn } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { openReadOnly } from "@vedette/node/data";
import { isHalfRestored, SnapshotError } from "@vedette/replication/snapshot";
import { StoreError } from "@vedette/store";
import { type RestoringData, restoreData } from "../snapshot/restoreData.js";

/** Between two lines about how far a snapshot is. */
const reportMs = 5_000;
const usualFirstWaitMs = 5_000;
const longestWaitMs = 60_000;

/** How a replica begins. */
export interface SnapshotBootstrap extends Omit<RestoringData, "report"> {
  readonly log: Log;
  /** Before it is tried again, where the place is out of reach; twice as long each time. */
  readonly firstWaitMs?: number;
}

/**
 * Fills a data directory from a snapshot where that was not done before; one that is filled is begun with whether the
 * place of the snapshots is there or not. While it is out of reach it is waited for.
 *
 * @returns `false` after the signal
 * @throws as {@link restoreData}, of what does not pass by itself
 */
export async function bootstrapFromSnapshot(beginning: SnapshotBootstrap): Promise<boolean> {
  const { log, signal, settings, trusted, firstWaitMs = usualFirstWaitMs } = beginning;
  if (await isFilled(settings["storage.data-dir"], trusted)) return true;
  let reportedMs = 0;
  const report = (stage: string, done: number, total: number) => {
    if (performance.now() - reportedMs < reportMs) return;
    reportedMs = performance.now();
    log(info(`Snapshot: ${stage}, ${done} of ${total}`));
  };
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, 2 * waitMs)) {
    try {
      const { manifest, isDoneBefore } = await restoreData({ ...beginning, report });
      if (!isDoneBefore) log(info(`The chain begins with block #${manifest.block.number} of the snapshot.`));
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof SnapshotError) || error.failure.code !== "placeUnusable" || error.failure.passes !== true)
        throw error;
      log(warn(`${errorText(error)}; retry in ${waitMs / 1_000} s`));
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return false;
  }
}

/** Whether a directory has the whole of a snapshot of this block. */
async function isFilled(path: string, trusted: string): Promise<boolean> {
  if (isHalfRestored(path)) return false;
  try {
    await using data = await openReadOnly(path);
    const first = data.blocks.approvedBlock()?.candidate.block.hash;
    return first !== undefined && toHex(first) === trusted;
  } catch (error) {
    if (error instanceof StoreError && error.failure.code === "missing") return false;
    throw error;
  }
}
