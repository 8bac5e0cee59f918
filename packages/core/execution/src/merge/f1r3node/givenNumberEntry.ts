import { fromHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import {
  type BlockStates,
  decodeNumberEntry,
  MergeError,
  type NumberChange,
  type NumberChanges,
  numberIn,
} from "@vedette/tuplespace";

/**
 * Checks another node's data on the changes that a block's deploys made to number channels: it must be of this block's
 * deploys, and the sum of the changes must be the difference between the block's two states.
 *
 * The states do not show which of several deploys changed a channel, and which channels are number channels at all:
 * for that the other node is trusted.
 *
 * @returns the changes of each deploy
 * @throws {MergeError} `mergeableMalformed`; `numberChannel` where a state has no number on such a channel
 * @spec 61 §12.2, §16.4
 * @cost a look at both states for each channel
 */
export function readGivenEntry(block: Block, entry: Uint8Array, { before, after }: BlockStates): NumberChanges[] {
  const deploys = decodeNumberEntry(entry);
  const { deploys: users, systemDeploys } = block.body;
  const count = users.length + systemDeploys.length;
  if (deploys.length !== count) throw malformed(`it is of ${deploys.length} deploys, and the block has ${count}`);
  const sums = new Map<string, NumberChange>();
  deploys.forEach((changes, index) => {
    const log = users[index]?.log ?? systemDeploys[index - users.length]!.log;
    if (changes.size > log.length) throw malformed(`a deploy of ${log.length} events cannot change this many channels`);
    for (const [channel, change] of changes) sums.set(channel, together(channel, sums.get(channel), change));
  });
  for (const [channel, { kind, difference }] of sums) {
    const hash = fromHex(channel);
    const [from, to] = [numberIn(before, hash), numberIn(after, hash)];
    const found = BigInt.asIntN(64, kind === "add" ? to - from : to & ~from);
    if (found !== difference) throw malformed(`channel ${channel} changes by ${found}, not by ${difference}`);
  }
  return deploys;
}

function together(channel: string, left: NumberChange | undefined, right: NumberChange): NumberChange {
  if (left === undefined) return right;
  if (left.kind !== right.kind) throw malformed(`channel ${channel} is added to and has bits set`);
  const difference =
    right.kind === "add" ? BigInt.asIntN(64, left.difference + right.difference) : left.difference | right.difference;
  return { kind: right.kind, difference };
}

function malformed(detail: string): MergeError {
  return new MergeError({ code: "mergeableMalformed", detail });
}
