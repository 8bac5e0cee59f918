import { EventsError } from "./EventsError.js";

/** The changes of a block, or of some of its deploys after it was final. */
export type LogEntryKind =
  | "chainStarted"
  | "blockAdded"
  | "blockInvalid"
  | "blockFinalized"
  | "blockOrphaned"
  | "deploysRejected"
  | "deploysRestored";

/** One entry of the log: something happened to a block. */
export interface LogEntry {
  readonly kind: LogEntryKind;
  readonly hash: Uint8Array;
  /** Why a block is invalid, where it is known. */
  readonly reason?: string | undefined;
  /** The deploys of a final block that are not in the state, or those that are in it again. */
  readonly deploys?: EntryDeploys | undefined;
}

/** Some of a block's deploys. */
export interface EntryDeploys {
  /** The block with the merge that gave them up. */
  readonly rejectedBy: Uint8Array;
  /** Hashes of their signatures. */
  readonly idHashes: readonly Uint8Array[];
}

const codes: { readonly [K in LogEntryKind]: number } = {
  chainStarted: 0,
  blockAdded: 1,
  blockInvalid: 2,
  blockFinalized: 3,
  blockOrphaned: 4,
  deploysRejected: 5,
  deploysRestored: 6,
};
const kinds = new Map(Object.entries(codes).map(([kind, code]) => [code, kind as LogEntryKind]));
const hashBytes = 32;
const longestReason = 64;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An entry as it is stored. */
export function encodeEntry({ kind, hash, reason, deploys }: LogEntry): Uint8Array {
  const more = deploys === undefined ? encoder.encode((reason ?? "").slice(0, longestReason)) : encodeDeploys(deploys);
  const bytes = new Uint8Array(1 + hashBytes + more.length);
  bytes[0] = codes[kind];
  bytes.set(hash.subarray(0, hashBytes), 1);
  bytes.set(more, 1 + hashBytes);
  return bytes;
}

/** @throws {EventsError} `entryDamaged` */
export function decodeEntry(number: number, bytes: Uint8Array): LogEntry {
  const kind = kinds.get(bytes[0] ?? -1);
  if (kind === undefined || bytes.length < 1 + hashBytes) throw new EventsError({ code: "entryDamaged", number });
  const hash = bytes.slice(1, 1 + hashBytes);
  const more = bytes.slice(1 + hashBytes);
  if (more.length === 0) return { kind, hash };
  if (kind === "blockInvalid") return { kind, hash, reason: decoder.decode(more) };
  if (more.length % hashBytes !== 0) throw new EventsError({ code: "entryDamaged", number });
  return { kind, hash, deploys: decodeDeploys(more) };
}

function encodeDeploys({ rejectedBy, idHashes }: EntryDeploys): Uint8Array {
  const bytes = new Uint8Array(hashBytes * (1 + idHashes.length));
  for (const [index, hash] of [rejectedBy, ...idHashes].entries()) bytes.set(hash, hashBytes * index);
  return bytes;
}

function decodeDeploys(bytes: Uint8Array): EntryDeploys {
  const idHashes: Uint8Array[] = [];
  for (let at = hashBytes; at < bytes.length; at += hashBytes) idHashes.push(bytes.slice(at, at + hashBytes));
  return { rejectedBy: bytes.slice(0, hashBytes), idHashes };
}

/** The keys of the table `eventLog`: facts of the log, then its entries. */
export const factsKey = Uint8Array.of(0);
const entryPrefix = 1;
const entryKeyBytes = 9;

/** The key of an entry; entries are in the order of their numbers. */
export function entryKey(number: number): Uint8Array {
  const key = new Uint8Array(entryKeyBytes);
  key[0] = entryPrefix;
  new DataView(key.buffer).setBigUint64(1, BigInt(number));
  return key;
}

/** The number of an entry; `undefined` for the key of something else. */
export function entryNumber(key: Uint8Array): number | undefined {
  if (key.length !== entryKeyBytes || key[0] !== entryPrefix) return undefined;
  return Number(new DataView(key.buffer, key.byteOffset).getBigUint64(1));
}
