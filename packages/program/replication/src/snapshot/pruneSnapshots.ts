import { findManifests } from "./findSnapshots.js";
import { chunkFolder, chunkOf } from "./manifest/names.js";
import type { SnapshotStorage } from "./place/SnapshotStorage.js";

/** Chunks that are younger may belong to a snapshot that is being made. */
const youngMs = 24 * 3_600_000;

/** The removed snapshots. */
export interface PrunedSnapshots {
  readonly snapshots: readonly string[];
  readonly chunks: number;
  readonly bytes: number;
}

/**
 * Deletes all snapshots but the newest, and the chunks that only deleted ones need. The manifests are deleted first, so
 * that every visible snapshot is complete if this is interrupted.
 *
 * @param keep how many stay
 * @throws {SnapshotError} `manifestWrong`: the chunks of an unreadable manifest are unknown, so nothing is deleted;
 *   `placeUnusable`
 */
export async function pruneSnapshots(
  place: SnapshotStorage,
  { keep, nowMs }: { readonly keep: number; readonly nowMs: number },
): Promise<PrunedSnapshots> {
  const manifests = await findManifests(place);
  const gone = manifests.slice(keep);
  const needed = new Set(manifests.slice(0, keep).flatMap(({ chunks }) => chunks.map(({ hash }) => hash)));
  for (const { name } of gone) await place.delete(name);
  let [chunks, bytes] = [0, 0];
  for (const file of await place.list(chunkFolder)) {
    const hash = chunkOf(file.name);
    if (hash === undefined || needed.has(hash) || nowMs - file.changedMs < youngMs) continue;
    await place.delete(file.name);
    chunks += 1;
    bytes += file.bytes;
  }
  return { snapshots: gone.map(({ name }) => name), chunks, bytes };
}
