import type { Chain } from "@vedette/chain";
import { hashKey, shortHash } from "@vedette/protocol";
import type { EventLog } from "@vedette/queries/events";
import type { Store } from "@vedette/store";
import { SimulationFailure } from "./SimulationFailure.js";

/** Hash of a block in a key of what is undecided, behind the height. */
const hashAt = 8;

/**
 * The event log tells what the DAG came to, each thing once: it is what a rebuild from the DAG would be, but for the
 * order.
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
    throw new SimulationFailure("event logs tell what happened", `${name}: ${shortHash(hash)} ${what}`);
  };
  const told = { blockAdded: new Map<string, Uint8Array>(), blockFinalized: new Map(), blockOrphaned: new Map() };
  for (let number = log.oldest(); number <= log.newest(); number += 1) {
    const { kind, hash } = log.read(number)!;
    if (!(kind in told)) continue;
    const known = told[kind as keyof typeof told];
    if (known.has(hashKey(hash))) fail(hash, `is told of twice (${kind})`);
    known.set(hashKey(hash), hash);
  }
  const undecided = new Set([...store.table("undecidedBlocks").range()].map(([key]) => hashKey(key.slice(hashAt))));
  for (const [key, hash] of told.blockAdded) {
    const block = chain.dag.find(hash);
    if (block === undefined || block.invalid) {
      fail(hash, "was added, and is not in the DAG");
      return;
    }
    if (block.finalized !== told.blockFinalized.has(key)) fail(hash, "is told of otherwise than it is final");
    const states = [block.finalized, told.blockOrphaned.has(key), undecided.has(key)];
    if (states.filter(Boolean).length !== 1) fail(hash, `is final, forked away, undecided: ${states.join()}`);
  }
  const begun = chain.dag.approvedBlock()!.number;
  for (const { hash } of chain.dag.blocksByHeight(begun + 1n, chain.dag.nextBlockNumber()))
    if (!told.blockAdded.has(hashKey(hash))) fail(hash, "is in the DAG, and nothing is told of it");
}
