import type { Config } from "@vedette/config";
import { toHex } from "@vedette/crypto";
import type { Checkpoint } from "@vedette/light";
import { openForFilling, ruleSetOf } from "@vedette/node/data";
import { findDialect } from "@vedette/protocol";
import {
  checkManifest,
  findSnapshot,
  isRestoring,
  type Manifest,
  RestoreProgress,
  restoreSnapshot,
  SnapshotError,
  type SnapshotStorage,
} from "@vedette/replication/snapshot";
import { CommandError } from "../client/CommandError.js";

/** How a data directory is filled. */
export interface RestoringData {
  readonly place: SnapshotStorage;
  /** The whole hash of the block to begin with. */
  readonly trusted: string;
  /** The user's checkpoint; a snapshot that contradicts it is refused. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Id of the node that must have made it; `undefined` accepts any node. */
  readonly maker?: string | undefined;
  readonly settings: Config;
  readonly report: (stage: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Fills the data directory of a configuration from a snapshot, or goes on with that. One that was filled so is left as
 * it is, whatever came into it since.
 *
 * @throws {SnapshotError}, {CommandError}, {DataDirectoryError}, {StoreError}
 */
export async function restoreData({
  place,
  trusted,
  checkpoint,
  maker,
  settings,
  report,
  signal,
}: RestoringData): Promise<{
  readonly manifest: Manifest;
  readonly isDoneBefore: boolean;
}> {
  if (!/^[0-9a-f]{64}$/.test(trusted))
    throw new CommandError({ code: "badArgument", name: "--block", expected: "a whole block hash, 64 hex digits" });
  const path = settings["storage.data-dir"];
  const manifest = await findSnapshot(place, trusted);
  const dialect = findDialect(settings.dialect)!;
  const ruleSet = ruleSetOf(settings);
  const rules = { trusted, shard: settings["casper.shard-name"], dialect, ruleSet, maker };
  checkManifest(manifest, rules);
  if (checkpoint !== undefined) requireAgreement(manifest, checkpoint);
  await using data = await openForFilling(path, dialect.name, ruleSet);
  const { chain, state, form } = data;
  const first = data.blocks.approvedBlock()?.candidate.block.hash;
  const isEnded = first !== undefined && toHex(first) === trusted;
  if (first !== undefined && !isEnded) throw new SnapshotError({ code: "chainThere", path });
  if (isEnded && !isRestoring(path, manifest.name)) return { manifest, isDoneBefore: true };
  const progress = new RestoreProgress(path, manifest.name);
  const work = { place, manifest, progress, report, signal, form, chain, state, ...rules };
  // Where it was killed after its last step there is nothing left to do.
  if (!isEnded) await restoreSnapshot(work);
  progress.end();
  return { manifest, isDoneBefore: false };
}

/** Compares all that a manifest states of its block and network. @throws {SnapshotError} `otherCheckpoint` @spec 70 §10 */
function requireAgreement(manifest: Manifest, trusted: Checkpoint): void {
  const { name, dialect, shard: shardId, block } = manifest;
  const found = { dialect, shardId, blockHash: block.hash, blockNumber: block.number, ...manifest.checkpoint };
  for (const [field, value] of Object.entries(found)) {
    const claimed = trusted[field as keyof Checkpoint];
    if (value === claimed) continue;
    const facts = { field, found: String(value), trusted: String(claimed) };
    throw new SnapshotError({ code: "otherCheckpoint", name, ...facts });
  }
}
