import { keptStates, windowEdge, yieldToEventLoop } from "@vedette/chain";
import { hashKey } from "@vedette/protocol";
import { StatePruning, StateStore } from "@vedette/tuplespace";
import type { OfflineData, ReportProgress } from "./OfflineData.js";

const rootsOfWrite = 500;
const sliceMs = 100;
const hashBytes = 32;

/** The entries that were removed. */
export interface PrunedData {
  readonly forgotten: number;
  readonly removed: number;
  /** States are there from this height on. */
  readonly from: bigint;
}

/**
 * Forgets all states but those that are needed where those of a window are kept, and throws away what was theirs. What
 * is broken off is gone on with the next time, by a node too.
 *
 * @returns `undefined` where nothing is final yet
 * @spec 30 §5.9, 40 §6.5
 */
export async function pruneData(
  { chain, state, dag, form }: OfflineData,
  window: bigint,
  { report, signal }: { readonly report: ReportProgress; readonly signal: AbortSignal },
): Promise<PrunedData | undefined> {
  const edge = windowEdge(dag, window);
  if (edge === undefined) return undefined;
  const from = edge > 0n ? edge : 0n;
  const kept = await keptStates({ dag, store: chain, yieldNow: yieldToEventLoop }, from);
  const pruning = new StatePruning(state, new StateStore(state, { form }), () => performance.now());
  const gone: Uint8Array[] = [];
  for (const [root] of state.table("roots").range())
    if (root.length === hashBytes && !kept.has(hashKey(root))) gone.push(root);
  for (let done = 0; done < gone.length; done += rootsOfWrite) {
    // From the first one on: what is broken off here is not to be taken for damage.
    pruning.forget(gone.slice(done, done + rootsOfWrite), from);
    report("forgetting", done, gone.length);
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  pruning.forget([], from);
  const total = state.table("history").count() + state.table("changedHistory").count();
  for (;;) {
    const { phase, marked, removed } = pruning.step(true, sliceMs);
    if (phase === "done") return { forgotten: gone.length, removed, from };
    report(phase, phase === "marking" ? marked : removed, phase === "marking" ? total : undefined);
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
}
