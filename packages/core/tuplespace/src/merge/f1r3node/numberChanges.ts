import { fromHex, toHex } from "@vedette/crypto";
import { BincodeReader, BincodeWriter, DecodeError } from "@vedette/terms";
import { MergeError } from "../MergeError.js";

/**
 * The change that deploys make to a number channel: add to its value, or set bits of it.
 *
 * @spec 61 §12.2
 */
export interface NumberChange {
  readonly kind: "add" | "or";
  /** 64 bits, signed. */
  readonly difference: bigint;
}

/** Hex of the channel hash → change. */
export type NumberChanges = ReadonlyMap<string, NumberChange>;

const highest = (1n << 63n) - 1n;
const lowest = -(1n << 63n);

/** From one value of a channel to the next. @spec 61 §12.2 */
export function numberChange(kind: NumberChange["kind"], before: bigint, after: bigint): NumberChange {
  return { kind, difference: BigInt.asIntN(64, kind === "add" ? after - before : after & ~before) };
}

/**
 * A value after a change.
 *
 * @returns `undefined` where it would be negative or beyond 64 bits; bits can always be set
 * @spec 61 §12.6 (step 3), §12.7
 */
export function changedNumber(value: bigint, { kind, difference }: NumberChange): bigint | undefined {
  if (kind === "or") return value | difference;
  const sum = value + difference;
  return sum < 0n || sum > highest ? undefined : sum;
}

/**
 * The changes of both.
 *
 * @throws {MergeError} `numberChannel` where the sum has more than 64 bits, or the two are not of one kind
 * @spec 61 §12.2
 */
export function combineNumbers(left: NumberChanges, right: NumberChanges): NumberChanges {
  if (right.size === 0) return left;
  const both = new Map(left);
  for (const [channel, change] of right) {
    const own = both.get(channel);
    both.set(channel, own === undefined ? change : combined(channel, own, change));
  }
  return both;
}

function combined(channel: string, left: NumberChange, right: NumberChange): NumberChange {
  const { kind } = left;
  if (kind !== right.kind) throw numberError(`channel ${channel} is added to and has bits set`);
  if (kind === "or") return { kind, difference: left.difference | right.difference };
  const difference = left.difference + right.difference;
  if (difference > highest || difference < lowest) throw numberError(`the sum on channel ${channel} is too large`);
  return { kind, difference };
}

/** Returns the key under which a block's changes are kept and requested. @spec 61 §12.2 */
export function numberEntryKey(postState: Uint8Array, sender: Uint8Array, sequenceNumber: number): Uint8Array {
  const writer = new BincodeWriter(postState.length + sender.length + 20);
  writer.counted(postState);
  writer.counted(sender);
  writer.int32(sequenceNumber);
  return writer.finish();
}

const kinds = ["add", "or"] as const;

/**
 * Encodes the changes that each deploy of a block (user deploys, then system deploys) makes to number channels.
 * @spec 61 §12.2
 */
export function encodeNumberEntry(deploys: readonly NumberChanges[]): Uint8Array {
  const writer = new BincodeWriter(64);
  writer.count(deploys.length);
  for (const deploy of deploys) {
    writer.count(deploy.size);
    for (const [channel, { kind, difference }] of [...deploy].sort(([left], [right]) => (left < right ? -1 : 1))) {
      writer.counted(fromHex(channel));
      writer.int64(difference);
      writer.int32(kinds.indexOf(kind));
    }
  }
  return writer.finish();
}

/** Decodes an entry, which may come from an untrusted peer. @spec 61 §12.2 @throws {MergeError} `mergeableMalformed` */
export function decodeNumberEntry(bytes: Uint8Array): NumberChanges[] {
  const reader = new BincodeReader(bytes);
  try {
    const deploys: NumberChanges[] = [];
    for (let left = reader.count(); left > 0; left -= 1) deploys.push(readChanges(reader));
    if (!reader.isAtEnd) throw malformed("more bytes follow");
    return deploys;
  } catch (error) {
    if (error instanceof DecodeError) throw malformed(error.message);
    throw error;
  }
}

function readChanges(reader: BincodeReader): NumberChanges {
  const changes = new Map<string, NumberChange>();
  for (let left = reader.count(); left > 0; left -= 1) {
    const channel = reader.counted();
    if (channel.length !== 32) throw malformed("a channel hash has not 32 bytes");
    const difference = reader.int64();
    const kind = kinds[reader.int32()];
    if (kind === undefined) throw malformed("a change is of no known kind");
    changes.set(toHex(channel), { kind, difference });
  }
  return changes;
}

function malformed(detail: string): MergeError {
  return new MergeError({ code: "mergeableMalformed", detail });
}

function numberError(detail: string): MergeError {
  return new MergeError({ code: "numberChannel", detail });
}
