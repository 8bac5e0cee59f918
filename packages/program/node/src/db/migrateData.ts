import { join } from "node:path";
import { BlockPacking, MetadataRewriting, yieldToEventLoop } from "@vedette/chain";
import { OutcomeRewriting } from "@vedette/execution";
import { sealEnvironment } from "@vedette/store";
import { NodeChanging } from "@vedette/tuplespace";
import { acquireDirectoryLock } from "../machine/dataDirectory.js";
import { type OfflineData, type ReportProgress, storeNames } from "./OfflineData.js";

/** The entries that were brought into the present form. */
export interface MigratedData {
  readonly blocks: number;
  readonly nodes: number;
  /** The records of blocks, and of the results of executing them. */
  readonly records: number;
}

/**
 * Brings what earlier versions wrote into the form that this one writes: old blocks in packs, nodes as changes of
 * earlier ones, records of blocks with short names. Each step is a transaction; what is broken off is gone on with the next time.
 *
 * @spec 30 §5.8, 40 §6.1
 */
export async function migrateData(
  { chain, state, dag }: OfflineData,
  { report, signal }: { readonly report: ReportProgress; readonly signal: AbortSignal },
): Promise<MigratedData> {
  const packing = new BlockPacking(chain, () => dag.lastFinalized()?.number);
  const total = Number(dag.nextBlockNumber());
  let blocks = 0;
  for (let packed = await packing.step(); packed > 0; packed = await packing.step()) {
    blocks += packed;
    report("packing blocks", blocks, total);
    signal.throwIfAborted();
  }
  const changing = new NodeChanging(state);
  let looked = 0;
  for (const { hash } of dag.blocksByHeight(0n, dag.nextBlockNumber())) {
    const { preStateHash, postStateHash } = dag.require(hash);
    changing.change(preStateHash, postStateHash);
    looked += 1;
    if (looked % 20 > 0) continue;
    report("nodes as changes", looked, total);
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return { blocks, nodes: changing.changed, records: await rewriteRecords({ chain, state }, { report, signal }) };
}

async function rewriteRecords(
  { chain, state }: Pick<OfflineData, "chain" | "state">,
  { report, signal }: { readonly report: ReportProgress; readonly signal: AbortSignal },
): Promise<number> {
  const metadata = new MetadataRewriting(chain);
  const total = chain.table("blockMetadata").count();
  let [records, looked] = [0, 0];
  for (let step = metadata.step(); step.looked > 0; step = metadata.step()) {
    records += step.written;
    looked += step.looked;
    report("records of blocks", looked, total);
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  const outcomes = new OutcomeRewriting(state);
  for (let step = outcomes.step(); !step.isDone; step = outcomes.step()) {
    records += step.written;
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return records;
}

/**
 * Gives the values of a directory that an earlier version wrote their checksums: both files are written anew.
 *
 * @returns the files that were
 * @throws {DataDirectoryError} in use; {StoreError} `damaged`; what the signal is aborted with
 */
export async function sealData(
  path: string,
  { report, signal }: { readonly report: ReportProgress; readonly signal: AbortSignal },
): Promise<number> {
  await using _taken = await acquireDirectoryLock(path);
  let sealed = 0;
  for (const name of storeNames) {
    const yieldNow = async () => {
      report(`checksums of ${name}`, 0, undefined);
      await yieldToEventLoop();
      signal.throwIfAborted();
    };
    sealed += Number(await sealEnvironment(join(path, name), name, { yieldNow }));
  }
  return sealed;
}
