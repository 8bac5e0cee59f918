import { join } from "node:path";
import { type BlockMetadata, BlockTable, Dag, StoredBlocks, yieldToEventLoop } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { loadForms, withBlockBytes } from "@vedette/executor";
import { startExecutorThread } from "@vedette/executor/threads";
import { hashKey } from "@vedette/protocol";
import { LmdbStore, OverlayStore, tablesOf } from "@vedette/store";
import { readForgotten, recordKey, StateStore } from "@vedette/tuplespace";
import { dialectOf } from "../../dialect/dialectOf.js";
import { chainRulesOf } from "../../start/chainRules.js";
import { afterAllMs, type RepairOptions } from "./rebuildChain.js";
import { StateWalk } from "./StateWalk.js";

/** The result of rebuilding the states of a directory. */
export interface RebuiltStates {
  /** Blocks that were executed again, since something of their states was missing. */
  readonly executed: number;
  /** Blocks with states that lack something that no block here makes. */
  readonly incomplete: readonly BlockMetadata[];
}

/** Keys of lost outcomes of executed blocks; `all` where it is unknown which are lost. */
export type LostOutcomes = ReadonlySet<string> | "all";

/**
 * Makes the missing parts of states again: the lowest block with such a part in its state is executed again on the
 * state before it, with all hashes compared.
 *
 * No other process may have the directory open.
 *
 * @throws {StoreError}; the reason of the signal
 */
export async function rebuildStates(path: string, lost: LostOutcomes, use: RepairOptions): Promise<RebuiltStates> {
  const { config, report, signal } = use;
  const dialect = dialectOf(config);
  const { name, blockForm } = dialect.protocol;
  const stateDirectory = join(path, "state");
  await using chain = new OverlayStore(
    new LmdbStore(join(path, "chain"), { tables: tablesOf("chain"), readOnly: true }),
  );
  await using thread = startExecutorThread({ stateDirectory, dialect: name });
  const rules = chainRulesOf(config, await thread.makeEmptyState());
  const consensus = dialect.consensus({
    ...{ config, store: chain, executor: withBlockBytes(thread, new BlockTable(chain, { form: blockForm })) },
    ...{ provideState: async () => undefined, listener: {} },
  });
  const { execution } = consensus;
  const blocks = new StoredBlocks({ store: chain, rules, execution, ...consensus.chain, nowMs: afterAllMs });
  await using state = new LmdbStore(stateDirectory, { tables: tablesOf("state"), readOnly: true });
  const states = new StateStore(state, { form: (await loadForms(name)).space });
  const walk = new StateWalk(states);
  const hasState = (root: Uint8Array) => states.hasRoot(root) && walk.isWhole(root);
  const isWhole = ({ preStateHash, postStateHash }: BlockMetadata) =>
    hasState(postStateHash) && walk.isWhole(preStateHash);
  const hasOutcome = ({ postStateHash, sender, sequenceNumber }: BlockMetadata) => {
    const key = recordKey(postStateHash, sender, sequenceNumber);
    return lost === "all" ? state.table("outcomes").has(key) : !lost.has(hashKey(key));
  };
  const dag = new Dag(chain);
  const next = dag.nextBlockNumber();
  const from = lowestState(dag, state);
  const incomplete: BlockMetadata[] = [];
  let executed = 0;
  for (const { hash, height } of [...dag.blocksByHeight(from, next)]) {
    const block = dag.require(hash);
    report("states", Number(height - from), Number(next - from));
    await yieldToEventLoop();
    signal.throwIfAborted();
    if (block.invalid) continue;
    if (isGiven(block, dag)) {
      if (states.hasRoot(block.postStateHash) && !hasState(block.postStateHash)) incomplete.push(block);
      continue;
    }
    if (isWhole(block) && hasOutcome(block)) continue;
    // The missing part may come from another block that cannot be executed here.
    await blocks.judge(hash).catch(() => undefined);
    executed += 1;
    state.refresh();
    if (!hasState(block.postStateHash)) incomplete.push(block);
  }
  return { executed, incomplete };
}

/** Whether the state of a block was not made here: the node began with it, or with one beside it. */
function isGiven({ number, hash }: BlockMetadata, dag: Dag): boolean {
  const first = dag.approvedBlock()?.number ?? 0n;
  return first > 0n && (number <= first || dag.lacksState(hash));
}

/** Below it states were forgotten, or never here. */
function lowestState(dag: Dag, state: LmdbStore): bigint {
  const approved = dag.approvedBlock()?.number ?? 0n;
  const forgotten = readForgotten(state.table("roots")) ?? 0n;
  return forgotten > approved ? forgotten : approved;
}

/** Takes states that are incomplete for states that are not here, so that they are fetched before they are used. */
export async function forgetIncomplete(path: string, incomplete: readonly BlockMetadata[]): Promise<void> {
  if (incomplete.length === 0) return;
  await using state = new LmdbStore(join(path, "state"), { tables: tablesOf("state") });
  const known = new Set(incomplete.map(({ postStateHash }) => toHex(postStateHash)));
  state.write((tables) => {
    for (const [root] of [...tables("roots").range()]) if (known.has(toHex(root))) tables("roots").delete(root);
  });
}
