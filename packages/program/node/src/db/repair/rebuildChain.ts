import { randomBytes } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Chain, checkFormat, checkSignature, noteMerge, yieldToEventLoop } from "@vedette/chain";
import type { Config } from "@vedette/config";
import { compareBytes, equalBytes } from "@vedette/crypto";
import { BlockCommitBatcher, offlineLimits, withBlockBytes } from "@vedette/executor";
import { startExecutorThread } from "@vedette/executor/threads";
import { type ApprovedBlock, type Block, checkDeploySignature, type Dialect } from "@vedette/protocol";
import { EventLog } from "@vedette/queries/events";
import { BatchingStore, LmdbStore, type Store, tablesOf } from "@vedette/store";
import { dialectOf } from "../../dialect/dialectOf.js";
import { chainRulesOf } from "../../start/chainRules.js";
import type { ReportProgress } from "../OfflineData.js";
import { ownTables } from "./repairKinds.js";
import { wholeBlock } from "./wholeBlock.js";

/** How a repair reports its progress, and is ended. */
export interface RepairOptions {
  readonly config: Config;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

/** A chain that was made anew. */
export interface RebuiltChain {
  /** In the new DAG; none where it could not be made here, so that the node has to join its network anew. */
  readonly blocks: number;
  /** Stored, and without a place in the new DAG. */
  readonly left: number;
}

/** These blocks were judged before, at any present time of the clock. */
export const afterAllMs = () => Number.MAX_SAFE_INTEGER;

interface Place {
  readonly hash: Uint8Array;
  readonly height: bigint;
}

/**
 * Makes a chain anew from the bytes of its blocks, each of which is executed and judged again, and puts it in the old
 * one's place when all is on disk. Records of own proposals and deploys are kept.
 *
 * A chain that began with a peer's state, or has a damaged first block, cannot be made here: then only the own
 * proposals are kept, and the node joins its network anew.
 *
 * No other process may have the directory open.
 *
 * @throws {StoreError}; the reason of the signal; nothing has changed then
 */
export async function rebuildChain(path: string, use: RepairOptions): Promise<RebuiltChain> {
  const beside = join(path, "chain-anew");
  rmSync(beside, { recursive: true, force: true });
  try {
    const rebuilt = await makeAnew(path, beside, use);
    rmSync(join(path, "chain", "lock.mdb"), { force: true });
    renameSync(join(beside, "data.mdb"), join(path, "chain", "data.mdb"));
    return rebuilt;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

async function makeAnew(path: string, beside: string, use: RepairOptions): Promise<RebuiltChain> {
  const dialect = dialectOf(use.config);
  const { name, blockForm } = dialect.protocol;
  await using old = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), readOnly: true });
  await using store = new BatchingStore(new LmdbStore(beside, { tables: tablesOf("chain") }));
  const source = new BlockTable(old, { form: blockForm });
  copyOwn(old, store);
  const approved = approvedGenesis(source, dialect.protocol);
  if (approved === undefined) {
    store.flush();
    return { blocks: 0, left: old.table("blocks").count() };
  }
  await using thread = startExecutorThread({ stateDirectory: join(path, "state"), dialect: name, isGrouped: true });
  const executor = withBlockBytes(thread, new BlockTable(store, { form: blockForm }));
  const groups = new BlockCommitBatcher(store, executor, offlineLimits);
  const rules = chainRulesOf(use.config, await thread.makeEmptyState());
  const consensus = dialect.consensus({
    ...{ config: use.config, store, executor: groups.executor, provideState: async () => undefined },
    listener: { onMerge: (block, scope, merged) => noteMerge(store, block, scope, merged) },
  });
  const log = new EventLog({ store, newId: () => randomBytes(8), hasOneParent: rules.maximumParents === 1 });
  const chain = new Chain({
    ...{ store, rules, execution: consensus.execution, ...consensus.chain, nowMs: afterAllMs, record: log.record },
    settled: (blocks) => groups.settled(blocks),
  });
  groups.pack(() => chain.dag.lastFinalized()?.number);
  log.open(chain.dag, rules.faultToleranceThreshold, chain.findRejections);
  const left = await new Rebuilding(chain, source, use).run(approved, await placesOf(source, old, use));
  await groups.flush();
  consensus.close?.();
  await store.sync();
  return { blocks: chain.dag.nextBlockNumber() === 0n ? 0 : store.table("blockMetadata").count(), left };
}

function copyOwn(old: Store, store: Store): void {
  store.write((tables) => {
    for (const name of ownTables) for (const [key, value] of old.table(name).range()) tables(name).put(key, value);
  });
}

function approvedGenesis(source: BlockTable, dialect: Dialect): ApprovedBlock | undefined {
  const approved = source.approvedBlock();
  if (approved === undefined) return undefined;
  const { block } = approved.candidate;
  const isGenesis = block.parents.length === 0 && block.number === 0n;
  return isGenesis && wholeBlock(source, block.hash, dialect) !== undefined ? approved : undefined;
}

/** Returns all blocks with whole bytes, the lowest first. */
async function placesOf(source: BlockTable, old: Store, { config, report, signal }: RepairOptions): Promise<Place[]> {
  const dialect = dialectOf(config).protocol;
  const places: Place[] = [];
  const hashes = [...old.table("blocks").range()].map(([hash]) => hash);
  for (const [index, hash] of hashes.entries()) {
    const block = wholeBlock(source, hash, dialect);
    if (block !== undefined) places.push({ hash, height: block.number });
    if (index % 100 > 0) continue;
    report("reading blocks", index, hashes.length);
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return places.sort((one, other) =>
    one.height === other.height ? compareBytes(one.hash, other.hash) : one.height < other.height ? -1 : 1,
  );
}

/** Takes blocks into a chain as they were taken before: those of a height together, once all that they need is there. */
class Rebuilding {
  readonly #chain: Chain;
  readonly #source: BlockTable;
  readonly #use: RepairOptions;
  #waiting: Block[] = [];

  constructor(chain: Chain, source: BlockTable, use: RepairOptions) {
    this.#chain = chain;
    this.#source = source;
    this.#use = use;
  }

  /** @returns how many blocks have no place in the DAG */
  async run(approved: ApprovedBlock, places: readonly Place[]): Promise<number> {
    const { dialect } = this.#chain.rules;
    const genesis = approved.candidate.block;
    if ((await this.#chain.adoptGenesis(approved)) !== undefined) return places.length;
    for (const [index, { hash, height }] of places.entries()) {
      if (equalBytes(hash, genesis.hash)) continue;
      if (this.#waiting.some(({ number }) => number < height)) await this.#takeReady();
      const block = wholeBlock(this.#source, hash, dialect);
      if (block !== undefined && isWellFormed(block, dialect)) this.#waiting.push(block);
      this.#use.report("executing blocks", index, places.length);
      this.#use.signal.throwIfAborted();
    }
    await this.#takeReady();
    return this.#waiting.length;
  }

  async #takeReady(): Promise<void> {
    const isReady = (block: Block) => this.#chain.missingDependencies(block).length === 0;
    for (let ready = this.#waiting.filter(isReady); ready.length > 0; ready = this.#waiting.filter(isReady)) {
      this.#waiting = this.#waiting.filter((block) => !ready.includes(block));
      await this.#chain.processTogether(ready.map((block) => ({ block, isAwaited: true })));
    }
  }
}

function isWellFormed(block: Block, dialect: Dialect): boolean {
  if ((checkFormat(block) ?? checkSignature(block, dialect)) !== undefined) return false;
  return block.body.deploys.every(({ deploy }) => checkDeploySignature(deploy, dialect));
}
