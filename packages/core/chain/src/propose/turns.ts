import type { PoolEntry } from "./PoolEntry.js";
import type { SenderReputation } from "./SenderReputation.js";

/** The inputs that decide about turns. */
export type DeployOrderInputs = Pick<SenderReputation, "isOfPayer" | "failureCount">;

/**
 * Orders deploys for their places in a block: each deployer's first comes before any deployer's second. Deployers that
 * paid in a recent block and deployers that did not take turns. Of the latter, each address has one deploy before any
 * address has another. All else is in order of arrival.
 *
 * A deploy that its key cannot pay for is free and still enters blocks (41 §3.4). So one sender can submit as many as a
 * node accepts, from one key or from thousands. This order keeps half of the places for deployers that pay, and puts
 * a sender of many deploys behind senders of few.
 *
 * A deploy that cannot be executed is free too, but costs time. While it is remembered, it counts as a deploy that the
 * same deployer already has in this block.
 *
 * Ours: no check of other nodes covers the order; the producer chooses it (40 §9.5).
 *
 * @param isPayersTurn whether a payer has the first place; in a small block both must have it at times
 * @cost one pass over the entries
 */
export function* orderDeploysFairly(
  entries: Iterable<PoolEntry>,
  trust: DeployOrderInputs,
  isPayersTurn: boolean,
): Generator<PoolEntry, void, undefined> {
  const payers = new Rounds();
  const others = new Rounds();
  for (const entry of entries) (trust.isOfPayer(entry) ? payers : others).add(entry, trust.failureCount(entry));
  const queues = [payers.inOrder(), others.inOrder()] as const;
  for (let turn = isPayersTurn ? 0 : 1; ; turn = 1 - turn) {
    const next = queues[turn === 0 ? 0 : 1].next();
    if (next.done !== true) {
      yield next.value;
      continue;
    }
    yield* queues[turn === 0 ? 1 : 0];
    return;
  }
}

/** As many places as a block has at most. */
const maxFailureCount = 128;

/** Deploys by how many of the same deployer came before. */
class Rounds {
  readonly #rounds: PoolEntry[][] = [];
  readonly #counts = new Map<string, number>();

  add(entry: PoolEntry, blame: number): void {
    const round = this.#counts.get(entry.deployer) ?? Math.min(blame, maxFailureCount);
    this.#counts.set(entry.deployer, round + 1);
    while (this.#rounds.length <= round) this.#rounds.push([]);
    this.#rounds[round]!.push(entry);
  }

  *inOrder(): Generator<PoolEntry, void, undefined> {
    for (const entries of this.#rounds) yield* byAddress(entries);
  }
}

/** Deploys of many keys and one address wait behind those of other addresses. */
function byAddress(entries: readonly PoolEntry[]): readonly PoolEntry[] {
  const counts = new Map<string, number>();
  const places = entries.map((entry) => {
    const address = entry.origin ?? entry.deployer;
    const place = counts.get(address) ?? 0;
    counts.set(address, place + 1);
    return { entry, place };
  });
  return places.sort((left, right) => left.place - right.place).map(({ entry }) => entry);
}
