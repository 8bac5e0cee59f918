import type { Chain } from "@vedette/chain";
import { hashKey, shortHash } from "@vedette/protocol";
import type { EventLog } from "@vedette/queries/events";
import type { Store } from "@vedette/store";
import { SimulationFailure } from "./SimulationFailure.js";

/** Hash of a block in a key of what is undecided, behind the height. */
const hashAt = 8;

/**
 * Checks that the event log records what became of the DAG, each thing once: it must equal a rebuild from the DAG, but
 * for the order.
 *
 * @throws {SimulationFailure}
 */
export function checkEventLog(
  name: string,
  {
    log,
    chain,
    store,
  }: {
    readonly log: EventLog;
    readonly chain: Chain;
    readonly store: Store;
  },
): void {
  const fail = (hash: Uint8Array, what: string): never => {
    throw new SimulationFailure("event logs record what happened", `${name}: ${shortHash(hash)} ${what}`);
  };
  const recorded = { blockAdded: new Map<string, Uint8Array>(), blockFinalized: new Map(), blockOrphaned: new Map() };
  for (let number = log.oldest(); number <= log.newest(); number += 1) {
    const { kind, hash } = log.read(number)!;
    if (!(kind in recorded)) continue;
    const known = recorded[kind as keyof typeof recorded];
    if (known.has(hashKey(hash))) fail(hash, `is listed twice (${kind})`);
    known.set(hashKey(hash), hash);
  }
  const undecided = new Set([...store.table("undecidedBlocks").range()].map(([key]) => hashKey(key.slice(hashAt))));
  for (const [key, hash] of recorded.blockAdded) {
    const block = chain.dag.find(hash);
    if (block === undefined || block.invalid) {
      fail(hash, "was added, and is not in the DAG");
      return;
    }
    if (block.finalized !== recorded.blockFinalized.has(key)) fail(hash, "is listed otherwise than it is final");
    const states = [block.finalized, recorded.blockOrphaned.has(key), undecided.has(key)];
    if (states.filter(Boolean).length !== 1) fail(hash, `is final, forked away, undecided: ${states.join()}`);
  }
  const begun = chain.dag.approvedBlock()!.number;
  for (const { hash } of chain.dag.blocksByHeight(begun + 1n, chain.dag.nextBlockNumber()))
    if (!recorded.blockAdded.has(hashKey(hash))) fail(hash, "is in the DAG, and not listed");
}
