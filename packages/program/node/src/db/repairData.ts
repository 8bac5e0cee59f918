import { join } from "node:path";
import { type BlockMetadata, BlockTable, yieldToEventLoop } from "@vedette/chain";
import { blake2b256, equalBytes } from "@vedette/crypto";
import { loadForms } from "@vedette/executor";
import { hashKey } from "@vedette/protocol";
import {
  checkEnvironment,
  LmdbStore,
  type RewriteOptions,
  type RewrittenEnvironment,
  rewriteEnvironment,
  type TableName,
  tablesOf,
} from "@vedette/store";
import { dialectOf } from "../dialect/dialectOf.js";
import { acquireDirectoryLock, requireDialect } from "../machine/dataDirectory.js";
import { requireShard, requireStores } from "./OfflineData.js";
import { type RebuiltChain, type RepairOptions, rebuildChain } from "./repair/rebuildChain.js";
import { forgetIncomplete, type LostOutcomes, type RebuiltStates, rebuildStates } from "./repair/rebuildStates.js";
import { isDerived, outcomeTables, refilledTables } from "./repair/repairKinds.js";
import { wholeBlock } from "./repair/wholeBlock.js";

/** The damages, and the result of repairing them. */
export interface RepairedData {
  /** Pages and values that were not what was written. */
  readonly damages: number;
  /** Where damaged files lie now. */
  readonly setAside: readonly string[];
  /** The chain, where it was made anew from its blocks. */
  readonly rebuilt: RebuiltChain | undefined;
  /** Blocks that were executed again for what their states lacked. */
  readonly executed: number;
  /** Blocks that the running node requests. */
  readonly missingBlocks: number;
  /** States that the running node requests when it needs them. */
  readonly missingStates: number;
  /** Source of missing blocks: a node's peers, or a replica's stream, which is read again from its beginning. */
  readonly asked: "peers" | "stream";
}

/**
 * Makes a data directory whole again, as far as that is possible here: files are written anew from whole entries, data
 * that follow from blocks are made again by executing them, and data that only peers have are recorded, so that the
 * running node requests them.
 *
 * @throws {DataDirectoryError}, {StoreError}; the reason of the signal
 */
export async function repairData(path: string, use: RepairOptions): Promise<RepairedData> {
  requireStores(path);
  const dialect = dialectOf(use.config).protocol;
  requireDialect(path, dialect.name);
  await using _taken = await acquireDirectoryLock(path);
  const { space: form } = await loadForms(dialect.name);
  const state = await writeAnew(path, "state", use, (table, key, value) => {
    if (table === "cold") return equalBytes(form.leafHash(value), key);
    return table !== "history" || equalBytes(blake2b256(value), key);
  });
  const chain = await writeAnew(path, "chain", use);
  await requireShard(path, use.config["casper.shard-name"]);
  const isReplica = await followsStream(path);
  const lostTables = tablesOfDamage(chain);
  await empty(path, toBeEmptied(chain, lostTables));
  const isChainLost = [...lostTables].some(isDerived);
  const rebuilt = isChainLost ? await rebuildChain(path, use) : undefined;
  const states = await restoreStates(path, state, use);
  const missingBlocks = await noteMissing(path, use);
  if (isReplica) await readAgain(path, missingBlocks > 0, states.incomplete);
  return {
    ...{ damages: state.damages.length + chain.damages.length, rebuilt, missingBlocks },
    setAside: [state, chain].flatMap(({ setAside }) => setAside ?? []),
    ...{ executed: states.executed, missingStates: states.incomplete.length },
    asked: isReplica ? "stream" : "peers",
  };
}

const untouched: RewrittenEnvironment = { entries: 0, damages: [], incomplete: new Set(), setAside: undefined };

/** Rewrites an environment that is damaged, or that an earlier version wrote without seals. */
async function writeAnew(
  path: string,
  name: "state" | "chain",
  { report, signal }: RepairOptions,
  isWhole?: RewriteOptions["isWhole"],
): Promise<RewrittenEnvironment> {
  const yieldAt = (stage: string) => async (done?: number, total?: number) => {
    report(`${stage} ${name}`, done ?? 0, total);
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  let damages = 0;
  const place = join(path, name);
  const { isSealed } = await checkEnvironment(place, () => void (damages += 1), yieldAt("pages of"));
  if (damages === 0 && isSealed) return untouched;
  const yieldNow = yieldAt("writing anew:");
  return rewriteEnvironment(place, name, isWhole === undefined ? { yieldNow } : { yieldNow, isWhole });
}

function tablesOfDamage({ damages, incomplete }: RewrittenEnvironment): ReadonlySet<TableName> {
  const named = damages.flatMap(({ table }) => (table === undefined ? [] : [table as TableName]));
  return new Set([...named, ...incomplete]);
}

/** Returns the tables that the node fills again if a part of them is lost, and those that may be of an earlier time. */
function toBeEmptied({ incomplete }: RewrittenEnvironment, lost: ReadonlySet<TableName>): readonly TableName[] {
  const refilled = refilledTables.filter((group) => group.some((table) => lost.has(table))).flat();
  // With an old number of a proposal, a number would be used twice; without one, peers are queried first.
  return incomplete.has("ownProposals") ? [...refilled, "ownProposals"] : refilled;
}

async function empty(path: string, names: readonly TableName[]): Promise<void> {
  if (names.length === 0) return;
  await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
  chain.write((tables) => {
    for (const name of names) for (const [key] of [...tables(name).range()]) tables(name).delete(key);
  });
}

async function restoreStates(
  path: string,
  { damages, incomplete }: RewrittenEnvironment,
  use: RepairOptions,
): Promise<RebuiltStates> {
  const isUnknown = [...incomplete].some((table) => outcomeTables.has(table));
  const keys = damages.flatMap(({ table, key }) =>
    key !== undefined && outcomeTables.has(table as TableName) ? [hashKey(key)] : [],
  );
  const lost: LostOutcomes = isUnknown ? "all" : new Set(keys);
  if (damages.length > 0) await dropBaseless(path);
  const states = await rebuildStates(path, lost, use);
  await forgetIncomplete(path, states.incomplete);
  return states;
}

/** Drops nodes that are stored as changes of one that is not there: what is there is not written again. */
async function dropBaseless(path: string): Promise<void> {
  await using state = new LmdbStore(join(path, "state"), { tables: tablesOf("state") });
  const nodes = state.table("history");
  state.write((tables) => {
    const changed = tables("changedHistory");
    for (const [hash, changes] of [...changed.range()])
      if (!nodes.has(changes.subarray(0, hash.length))) changed.delete(hash);
  });
}

/** Records the blocks that the DAG has and that are not stored whole. */
async function noteMissing(path: string, { config, report, signal }: RepairOptions): Promise<number> {
  const dialect = dialectOf(config).protocol;
  await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
  const blocks = new BlockTable(chain, { form: dialect.blockForm });
  const hashes = [...chain.table("blockMetadata").range()].map(([hash]) => hash);
  const missing: Uint8Array[] = [];
  for (const [index, hash] of hashes.entries()) {
    if (wholeBlock(blocks, hash, dialect) === undefined) missing.push(hash);
    if (index % 100 > 0) continue;
    report("looking for blocks", index, hashes.length);
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  chain.write((tables) => {
    for (const hash of missing) {
      tables("blocks").delete(hash);
      tables("missingBlocks").put(hash, new Uint8Array(0));
    }
  });
  return missing.length;
}

/** The key of a replica's position in its stream. */
const placeKey = Uint8Array.of(0);

/** Whether the directory is a replica's. */
async function followsStream(path: string): Promise<boolean> {
  await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), readOnly: true });
  return chain.table("followed").has(placeKey);
}

/** Has a replica read its stream again where something is missing: it passes over what it has. */
async function readAgain(path: string, lacksBlocks: boolean, incomplete: readonly BlockMetadata[]): Promise<void> {
  if (!lacksBlocks && incomplete.length === 0) return;
  await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
  chain.write((tables) => {
    for (const { hash } of incomplete) tables("missingBlocks").put(hash, new Uint8Array(0));
    tables("followed").delete(placeKey);
  });
}
