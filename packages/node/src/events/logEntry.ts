import { EventsError } from "./EventsError.js";

/** What can happen to a block. */
export type EntryKind = "chainBegun" | "blockAdded" | "blockInvalid" | "blockFinalized" | "blockForkedAway";

/** One entry of the log: something happened to a block. */
export interface LogEntry {
  readonly kind: EntryKind;
  readonly hash: Uint8Array;
  /** Why a block is invalid, where it is known. */
  readonly reason: string | undefined;
}

const codes: { readonly [K in EntryKind]: number } = {
  chainBegun: 0,
  blockAdded: 1,
  blockInvalid: 2,
  blockFinalized: 3,
  blockForkedAway: 4,
};
const kinds = new Map(Object.entries(codes).map(([kind, code]) => [code, kind as EntryKind]));
const hashBytes = 32;
const longestReason = 64;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An entry as it is stored. */
export function encodeEntry({ kind, hash, reason }: LogEntry): Uint8Array {
  const text = encoder.encode((reason ?? "").slice(0, longestReason));
  const bytes = new Uint8Array(1 + hashBytes + text.length);
  bytes[0] = codes[kind];
  bytes.set(hash.subarray(0, hashBytes), 1);
  bytes.set(text, 1 + hashBytes);
  return bytes;
}

/** @throws {EventsError} `entryDamaged` */
export function decodeEntry(number: number, bytes: Uint8Array): LogEntry {
  const kind = kinds.get(bytes[0] ?? -1);
  if (kind === undefined || bytes.length < 1 + hashBytes) throw new EventsError({ code: "entryDamaged", number });
  const reason = bytes.length === 1 + hashBytes ? undefined : decoder.decode(bytes.subarray(1 + hashBytes));
  return { kind, hash: bytes.slice(1, 1 + hashBytes), reason };
}
