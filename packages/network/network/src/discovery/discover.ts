import { fromHex } from "@vedette/crypto";
import { shuffle } from "../connection/shuffle.js";
import type { Peer } from "../Peer.js";
import { keyAtDistance } from "./distance.js";
import type { KademliaTable } from "./KademliaTable.js";

const wanted = 10;
/** The number of named peers that count per answer: a peer that names many unreachable ones must not end the round. */
const countedOfAnswer = 4;

/** The parts that a round of discovery needs. @spec 10 §5 */
export interface Discovery {
  readonly ownId: string;
  readonly table: KademliaTable;
  readonly lookup: (key: Uint8Array, peer: Peer) => Promise<Peer[]>;
  /** Receives a peer that is in no table yet. */
  readonly onNamed: (peer: Peer) => void;
  readonly random: (below: number) => number;
}

/**
 * Requests further peers from known ones, at the distances where the table is emptiest.
 *
 * @spec 10 §5
 */
export async function discover(use: Discovery, signal: AbortSignal): Promise<void> {
  const { ownId, table } = use;
  const own = fromHex(ownId);
  const peers = shuffle(table.peers, use.random);
  const distances = table.sparseness();
  const found = new Map<string, Peer>();
  let counted = 0;
  for (let round = 0; round < peers.length && round < distances.length && counted < wanted; round++) {
    if (signal.aborted) return;
    const key = keyAtDistance(own, distances[round] as number);
    const before = found.size;
    for (const peer of await use.lookup(key, peers[round] as Peer)) {
      if (peer.id !== ownId && !found.has(peer.id) && !table.has(peer.id)) found.set(peer.id, peer);
    }
    counted += Math.min(countedOfAnswer, found.size - before);
  }
  for (const peer of found.values()) use.onNamed(peer);
}
