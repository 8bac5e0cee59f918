import type { BlockFloor, DerivedFloor, F1r3nodeCheck } from "@vedette/chain";
import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import {
  type ApprovedBlock,
  encodePacket,
  type FloorCacheEntry,
  type FloorCacheResponse,
  type FloorSeed,
  hashKey,
} from "@vedette/protocol";
import type { ImportedBlock } from "../../ports/ChainPort.js";
import type { FloorPort } from "../../ports/FloorPort.js";
import type { BlockFetching } from "../fetchApprovedBlocks.js";
import type { ReceivedAnswer } from "../JoinRules.js";
import type { Mailbox } from "../Mailbox.js";

/** The peers from which floors are requested, and the port that checks their answers. @spec 61 §16.4 (step 3) */
export interface FloorFetching extends Pick<BlockFetching, "peers" | "bootstrap" | "emit" | "timers" | "dialect"> {
  readonly port: FloorPort;
  readonly received: Mailbox<ReceivedAnswer<FloorCacheResponse>>;
}

/** The blocks with wanted floors. */
export interface FloorsWanted {
  readonly approved: ApprovedBlock;
  readonly seed: FloorSeed | undefined;
  /** All others that are entered into the DAG, the highest first. */
  readonly blocks: readonly ImportedBlock[];
}

const mostHashes = 4096;
const answerMs = 10_000;
const maxPeers = 3;

/**
 * Requests the final blocks of the blocks that a node begins with. One peer after the other gets the request, until an
 * answer has no wrong floor among those that follow from others. Without such an answer only the seed is used, if it is
 * not contradicted.
 *
 * @spec 61 §16.4 (step 3)
 */
export async function fetchFloors(
  wanted: FloorsWanted,
  use: FloorFetching,
  signal: AbortSignal,
): Promise<readonly BlockFloor[]> {
  const { approved, seed, blocks } = wanted;
  const { emit, port, bootstrap } = use;
  const hash = approved.candidate.block.hash;
  const seeded = new Map<string, DerivedFloor>();
  if (seed !== undefined) seeded.set(hashKey(hash), { floor: seed.floorHash, frontier: seed.frontierHash });
  for (const peer of requestedPeers(use)) {
    const entries = await ask([hash, ...blocks.map((block) => block.hash)], peer, use, signal);
    if (entries.length === 0) continue;
    const given = new Map(peer.id === bootstrap.id ? seeded : []);
    const check = await port.check(approved, blocks, withEntries(given, entries));
    if (check.contradicted.length === 0) return reportTaken(check, peer, use);
    emit({ type: "floorsRefused", peer, contradicted: check.contradicted.length });
  }
  const alone = await port.check(approved, blocks, seeded);
  if (alone.contradicted.length === 0) return reportTaken(alone, undefined, use);
  emit({ type: "floorsRefused", peer: bootstrap, contradicted: alone.contradicted.length });
  return reportTaken(await port.check(approved, blocks, new Map()), undefined, use);
}

function reportTaken(
  { floors, trusted }: F1r3nodeCheck,
  peer: Peer | undefined,
  { emit }: FloorFetching,
): readonly BlockFloor[] {
  emit({ type: "floorsTaken", peer, floors: floors.length, trusted });
  return floors;
}

/** The bootstrap first, and once more where there are few others: it may have been busy. */
function requestedPeers({ peers, bootstrap }: FloorFetching): readonly Peer[] {
  const others = peers.randomPeers(maxPeers).filter(({ id }) => id !== bootstrap.id);
  return [bootstrap, ...others, bootstrap, bootstrap].slice(0, maxPeers);
}

function withEntries(
  given: Map<string, DerivedFloor>,
  entries: readonly FloorCacheEntry[],
): ReadonlyMap<string, DerivedFloor> {
  for (const { blockHash, floorHash: floor, frontierHash: frontier } of entries)
    given.set(hashKey(blockHash), { floor, frontier });
  return given;
}

/** @returns the floors that came in time, of requested blocks only */
async function ask(
  hashes: readonly Uint8Array[],
  peer: Peer,
  { peers, received, timers, emit, dialect }: FloorFetching,
  signal: AbortSignal,
): Promise<readonly FloorCacheEntry[]> {
  const entries = new Map<string, FloorCacheEntry>();
  for (let start = 0; start < hashes.length; start += mostHashes) {
    const part = hashes.slice(start, start + mostHashes);
    const keys = new Set(part.map(hashKey));
    received.want((answer) => answer.peer.id === peer.id);
    const takeBack = timers.after(answerMs, () => received.nudge());
    try {
      await peers.send(
        peer,
        "FloorCacheRequest",
        encodePacket("FloorCacheRequest", { hashes: part }, dialect.packetForm),
      );
      const answer = await received.next(signal);
      const some = answer?.message.entries ?? [];
      const isOfQuestion = some.length <= part.length && some.every(({ blockHash }) => keys.has(hashKey(blockHash)));
      if (answer === undefined || !isOfQuestion) {
        const reason = answer === undefined ? "nothing came in time" : "it contains blocks that were not requested";
        emit({ type: "floorsUnanswered", peer, reason });
        return [];
      }
      for (const entry of some) entries.set(hashKey(entry.blockHash), entry);
    } catch (error) {
      signal.throwIfAborted();
      emit({ type: "floorsUnanswered", peer, reason: errorText(error) });
      break;
    } finally {
      takeBack();
      received.want();
    }
  }
  return [...entries.values()];
}
