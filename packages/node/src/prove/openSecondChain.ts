import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BlockTable, Chain } from "@vedette/chain";
import { leastHistory } from "@vedette/config";
import type { Network, Peer } from "@vedette/network";
import { type Block, rnodeScala } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { HistoryProof } from "@vedette/sync";
import {
  approvedBlockOf,
  BlockReading,
  blockProcessorOf,
  blockStoreOf,
  dagViewOf,
  executionOf,
  ReplayAhead,
  stateImportOf,
} from "@vedette/workers";
import { type Executor, startExecutorThread } from "@vedette/workers/threads";
import { makeFolders } from "../machine/makeFolders.js";
import { chainRulesOf } from "../start/chainRules.js";
import type { NodeParts } from "../start/NodeParts.js";
import { keepUp } from "../start/upkeep.js";

/** How a second chain is to work beside the first one. */
export interface SecondChainUse {
  readonly target: Block;
  readonly peers: Network;
  readonly bootstrap: Peer | undefined;
  /** Asked before each block. */
  readonly mayWork: () => boolean;
  readonly onReplayed: () => void;
  /** Ends its upkeep, and the wait of blocks. */
  readonly signal: AbortSignal;
}

/** A second chain that is open. */
export interface SecondChain extends AsyncDisposable {
  readonly proof: HistoryProof;
}

const lookMs = 50;

/**
 * Opens the second chain of a proof in a folder of its own, with a thread that executes its blocks when all others have
 * nothing to do. Its states are forgotten as soon as the chain needs them no more.
 *
 * @throws {StoreError}; what the file system says
 * @spec 40 §20
 */
export async function openSecondChain(
  directory: string,
  parts: NodeParts,
  { target, peers, bootstrap, mayWork, onReplayed, signal }: SecondChainUse,
): Promise<SecondChain> {
  const { config, emptyStateHash, log } = parts;
  const [state, blocks] = [join(directory, "state"), join(directory, "chain")];
  for (const folder of [state, blocks]) makeFolders(folder);
  const closers: (() => PromiseLike<void>)[] = [];
  const close = async () => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    const thread = startExecutorThread({ stateDirectory: state, isInBackground: true });
    closers.push(() => thread[Symbol.asyncDispose]());
    await thread.makeEmptyState();
    const store = new LmdbStore(blocks, { tables: tablesOf("chain") });
    closers.push(() => store[Symbol.asyncDispose]());
    const patient = patientExecutor(thread, { mayWork, onReplayed, signal });
    const ahead = new ReplayAhead(patient.executor);
    const execution = executionOf(ahead.executor, new BlockTable(store));
    const chain = new Chain({ store, rules: chainRulesOf(config, emptyStateHash), execution, nowMs: Date.now });
    await chain.blocks.discardLeftovers();
    const reading = new BlockReading();
    closers.push(() => reading[Symbol.asyncDispose]());
    const ended = new AbortController();
    const window = BigInt(leastHistory);
    const upkeep = keepUp(
      { chain, store, executor: thread, window, log, isRunning: mayWork },
      AbortSignal.any([signal, ended.signal]),
    );
    closers.push(() => {
      ended.abort();
      return upkeep;
    });
    const proof = new HistoryProof({
      ...{ target, peers, questions: peers, bootstrap },
      chain: {
        ...{ shardName: config["casper.shard-name"], dialect: rnodeScala, nowMs: Date.now, store },
        blocks: blockStoreOf(chain),
        dag: dagViewOf(chain),
        approved: approvedBlockOf(chain),
        processor: blockProcessorOf(chain, ahead, reading),
        readBlock: (content) => reading.read(content),
        stateImport: stateImportOf(thread),
      },
      verdictOf: (hash) => {
        const block = chain.dag.find(hash);
        return block === undefined ? undefined : block.invalid ? "invalid" : "valid";
      },
      isHeldUp: () => !mayWork() || patient.isBusy(),
    });
    return { proof, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Has blocks wait while there is more important work. */
function patientExecutor(
  thread: Executor,
  { mayWork, onReplayed, signal }: Pick<SecondChainUse, "mayWork" | "onReplayed" | "signal">,
): { readonly executor: Executor; readonly isBusy: () => boolean } {
  let pending = 0;
  const replay: Executor["replay"] = async (call) => {
    pending += 1;
    try {
      while (!mayWork()) await sleep(lookMs, undefined, { signal, ref: false });
      const answer = await thread.replay(call);
      onReplayed();
      return answer;
    } finally {
      pending -= 1;
    }
  };
  return { executor: { ...thread, replay }, isBusy: () => pending > 0 };
}
