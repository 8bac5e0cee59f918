import { availableParallelism } from "node:os";
import { join } from "node:path";
import { BlockTable, Chain } from "@vedette/chain";
import { type Config, minHistory, workersOf } from "@vedette/config";
import {
  BlockCommitBatcher,
  blockProcessorOf,
  blockStoreOf,
  dagViewOf,
  executorPipeline,
  PeerBlockDecoder,
  stateImportOf,
} from "@vedette/executor";
import type { Network, Peer } from "@vedette/network";
import type { Block } from "@vedette/protocol";
import { BatchingStore, LmdbStore, tablesOf } from "@vedette/store";
import { HistoryVerifier, ReplayedBlocks, Segments, systemTimers } from "@vedette/sync";
import type { NetworkSync, NodeDialect } from "../dialect/NodeDialect.js";
import { makeFolders } from "../machine/makeFolders.js";
import { chainRulesOf } from "../start/chainRules.js";
import { keepUp } from "../start/maintenance.js";
import type { NodeParts } from "../start/NodeParts.js";
import { openSegment } from "./openSegment.js";
import { secondExecutor, startBackgroundExecutor } from "./secondExecutor.js";

/** How a second chain is to work beside the first one. */
export interface VerificationChainOptions {
  readonly target: Block;
  readonly peers: Network;
  readonly bootstrap: Peer | undefined;
  /** Called before each block. */
  readonly mayWork: () => boolean;
  readonly onReplayed: () => void;
  /** Receives the reason why the blocks from a height on are not replayed in parallel. */
  readonly givenUp: (from: bigint, reason: string) => void;
  /** Ends its upkeep, and the wait of blocks. */
  readonly signal: AbortSignal;
}

/** A second chain that is open. */
export interface VerificationChain extends AsyncDisposable {
  readonly proof: HistoryVerifier;
}

/**
 * Opens the second chain of a proof in a folder of its own, with a thread that executes its blocks when all others have
 * nothing to do. Its states are dropped as soon as the chain no longer needs them.
 *
 * @throws {StoreError}; the file system's error
 * @spec 40 §20
 */
export async function openSecondChain(
  directory: string,
  parts: NodeParts,
  { target, peers, bootstrap, mayWork, onReplayed, givenUp, signal }: VerificationChainOptions,
): Promise<VerificationChain> {
  const { config, dialect, emptyStateHash, log } = parts;
  const states = { dialect: dialect.protocol.name, reserveBytes: parts.room.reserveBytes };
  const [stateDirectory, blocks] = [join(directory, "state"), join(directory, "chain")];
  makeFolders(blocks);
  const closers: (() => PromiseLike<void>)[] = [];
  const close = () => closeAll(closers);
  try {
    const thread = await startBackgroundExecutor({ stateDirectory, ...states });
    closers.push(() => thread[Symbol.asyncDispose]());
    const store = chainStoreIn(blocks, states.reserveBytes);
    closers.push(() => store[Symbol.asyncDispose]());
    const table = new BlockTable(store, { form: dialect.protocol.blockForm });
    const patience = { mayWork, onReplayed, signal };
    const segments = new Segments({
      ...{ target: target.number, parts: partsOf(config, dialect), replayed: new ReplayedBlocks(store) },
      ...{ peers, questions: peers, timers: systemTimers, givenUp },
      open: (part) => openSegment({ directory: join(directory, `segment-${part}`), ...states }, patience),
    });
    const findBytes = (hash: Uint8Array) => table.findBytes(hash);
    const work = { target: target.number, segments, findBytes, form: dialect.protocol.blockForm, patience };
    let isBusy = () => false;
    const { executor, groups, ahead } = executorPipeline({
      ...{ thread, blocks: table, groups: (next) => new BlockCommitBatcher(store, next) },
      patience(next) {
        const patient = secondExecutor(next, work);
        isBusy = patient.isBusy;
        return patient.executor;
      },
    });
    // Data that cannot be written to disk is replayed again.
    closers.push(() => groups.flush().catch(() => undefined));
    const consensus = dialect.consensus({
      ...{ config, store, executor, listener: {} },
      // The executor provides what it needs.
      provideState: async () => undefined,
    });
    const chain = new Chain({
      ...{ store, rules: chainRulesOf(config, emptyStateHash), execution: consensus.execution, ...consensus.chain },
      ...{ nowMs: Date.now, settled: (judged) => groups.settled(judged) },
    });
    await chain.blocks.discardLeftovers();
    const reading = new PeerBlockDecoder(dialect.protocol);
    closers.push(() => reading[Symbol.asyncDispose]());
    const ended = new AbortController();
    const upkeep = keepUp(
      { chain, store, executor: thread, window: BigInt(minHistory), log, isRunning: mayWork },
      AbortSignal.any([signal, ended.signal]),
    );
    closers.push(() => {
      ended.abort();
      return upkeep;
    });
    const proof = new HistoryVerifier({
      ...{ target, peers, questions: peers, bootstrap },
      chain: {
        ...{ shardName: config["casper.shard-name"], dialect: dialect.protocol, nowMs: Date.now, store },
        blocks: blockStoreOf(chain),
        dag: dagViewOf(chain),
        ...joiningOf(consensus.sync(chain)),
        validation: blockProcessorOf(chain, ahead, reading),
        decodePeerBlock: (content) => reading.decode(content),
        // The state that a block begins with is provided when the block is executed, if it is.
        stateImport: { ...stateImportOf(thread), hasRoot: async () => true },
      },
      segments,
      verdictOf: (hash) => verdictOf(chain.dag.find(hash)),
      isHeldUp: () => !mayWork() || isBusy(),
    });
    return { proof, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function chainStoreIn(folder: string, reserveBytes: number): BatchingStore {
  return new BatchingStore(new LmdbStore(folder, { tables: tablesOf("chain"), reserveBytes }));
}

/** The last one first. */
async function closeAll(closers: (() => PromiseLike<void>)[]): Promise<void> {
  for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
}

function joiningOf({ approved, join }: NetworkSync): Pick<NetworkSync, "approved" | "join"> {
  return { approved, join };
}

function verdictOf(block: { readonly invalid: boolean } | undefined): "valid" | "invalid" | undefined {
  if (block === undefined) return undefined;
  return block.invalid ? "invalid" : "valid";
}

/** Number of parts. Blocks that merge parents, or have their committee in another block's state, need other states. */
function partsOf(config: Config, { hasBondsOfOwnState }: NodeDialect): number {
  const isChain = config["casper.max-number-of-parents"] === 1 && hasBondsOfOwnState;
  return isChain ? workersOf(config["sync.verify-parallelism"], availableParallelism()) : 1;
}
