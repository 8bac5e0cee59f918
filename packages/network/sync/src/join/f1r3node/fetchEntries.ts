import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { encodePacket, hashKey, type MergeableEntryResponse } from "@vedette/protocol";
import type { NumberEntryPort } from "../../ports/FloorPort.js";
import type { FetchedBlock } from "../BlockRequester.js";
import type { BlockFetching } from "../fetchApprovedBlocks.js";
import type { ReceivedAnswer } from "../JoinRules.js";
import type { Mailbox } from "../Mailbox.js";

/** The parts that a fetch of number channel changes needs. @spec 61 §16.4 (steps 2, 5) */
export interface EntryFetching
  extends Pick<BlockFetching, "peers" | "bootstrap" | "blocks" | "emit" | "timers" | "dialect"> {
  readonly port: NumberEntryPort;
  readonly received: Mailbox<ReceivedAnswer<MergeableEntryResponse>>;
}

/** Maximum number of open requests: the answering peer cannot queue more. @spec 10 §3.6 */
const maxConcurrent = 32;
const answerMs = 10_000;

/**
 * Obtains the entries of blocks: missing ones are requested, and an entry that no peer gives rightly is made by
 * executing the block again. A block for which that is impossible is left: it is tried again when it is needed.
 *
 * @param known blocks that are stored, with their states, in any order
 * @spec 61 §16.4 (steps 2, 5)
 */
export async function fetchEntries(
  known: readonly FetchedBlock[],
  use: EntryFetching,
  signal: AbortSignal,
): Promise<void> {
  const { port, blocks, emit } = use;
  const wanted: FetchedBlock[] = [];
  for (const one of known) {
    const block = blocks.get(one.hash);
    if (block !== undefined && (await port.find(block)) === undefined) wanted.push(one);
  }
  if (wanted.length === 0) return;
  const left = await queryForAll(wanted, use, signal);
  let lacking = 0;
  // A block is executed on what those below it left.
  for (const { hash } of left.sort((one, other) => Number(one.number - other.number))) {
    signal.throwIfAborted();
    const block = blocks.get(hash);
    if (block === undefined) continue;
    const reason = await port.make(block).catch(errorText);
    if (reason === undefined) continue;
    lacking += 1;
    emit({ type: "entryLacking", hash, reason });
  }
  const given = wanted.length - left.length;
  emit({ type: "entriesTaken", given, made: left.length - lacking, lacking });
}

/** @returns those for which nothing came that could be used */
async function queryForAll(
  wanted: readonly FetchedBlock[],
  use: EntryFetching,
  signal: AbortSignal,
): Promise<FetchedBlock[]> {
  const { peers, bootstrap } = use;
  const [other] = peers.randomPeers(2).filter(({ id }) => id !== bootstrap.id);
  const first = await queryFor(wanted, bootstrap, use, signal);
  return other === undefined || first.length === 0 ? first : queryFor(first, other, use, signal);
}

/** Sends requests to one peer, and stops when it has been silent for a while, or has sent something wrong. */
async function queryFor(
  wanted: readonly FetchedBlock[],
  peer: Peer,
  use: EntryFetching,
  signal: AbortSignal,
): Promise<FetchedBlock[]> {
  const { received, timers, emit } = use;
  const waiting = [...wanted];
  const left: FetchedBlock[] = [];
  const open = new Map<string, FetchedBlock>();
  const rest = () => [...left, ...open.values(), ...waiting];
  received.want((answer) => answer.peer.id === peer.id && open.has(hashKey(answer.message.blockHash)));
  try {
    for (;;) {
      while (open.size < maxConcurrent && waiting.length > 0) send(waiting.shift()!, peer, open, use);
      if (open.size === 0) return left;
      const takeBack = timers.after(answerMs, () => received.nudge());
      const answer = await received.next(signal).finally(takeBack);
      if (answer === undefined) return rest();
      const key = hashKey(answer.message.blockHash);
      const block = open.get(key);
      // A second answer to the same question may have come while the first one was looked at.
      if (block === undefined) continue;
      open.delete(key);
      const outcome = await take(block.hash, answer.message.serializedEntry, use);
      if (outcome === "taken") continue;
      left.push(block);
      if (outcome === "none") continue;
      emit({ type: "entryRefused", peer, hash: block.hash, reason: outcome.reason });
      return rest();
    }
  } finally {
    received.want();
  }
}

function send(
  block: FetchedBlock,
  peer: Peer,
  open: Map<string, FetchedBlock>,
  { peers, dialect }: EntryFetching,
): void {
  open.set(hashKey(block.hash), block);
  const content = encodePacket("MergeableEntryRequest", { blockHash: block.hash }, dialect.packetForm);
  // A peer that cannot be reached is as one that does not answer.
  peers.send(peer, "MergeableEntryRequest", content).catch(() => {});
}

async function take(
  hash: Uint8Array,
  entry: Uint8Array,
  { port, blocks }: EntryFetching,
): Promise<"taken" | "none" | { readonly reason: string }> {
  const block = blocks.get(hash);
  if (entry.length === 0 || block === undefined) return "none";
  const reason = await port.take(block, entry).catch(errorText);
  return reason === undefined ? "taken" : { reason };
}
