import { blake2b256, concatBytes, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import * as Type from "typebox";
import { Compile } from "typebox/compile";
import {
  chunkBytes,
  compressChunk,
  type Entry,
  entriesOf,
  longestChunkBytes,
  openChunk,
} from "../snapshot/chunk/index.js";
import { StreamError } from "./StreamError.js";

const hex32 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const facts = Type.Object(
  {
    format: Type.Literal("vedette-stream-1"),
    network: Type.String({ maxLength: 256 }),
    /** Left out: rnode's, as in streams of earlier versions. */
    dialect: Type.Optional(Type.String({ maxLength: 64 })),
    hash: hex32,
    number: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    verdict: Type.Enum(["valid", "invalid"]),
    /** Why it is invalid, where that is known. */
    reason: Type.Optional(Type.String({ maxLength: 64 })),
    /** In an invalid block the value may be anything. */
    postStateHash: Type.String({ pattern: "^(?:[0-9a-f]{2}){0,64}$" }),
    /** The state to which the nodes and leaves are added; `null` where all of the block's state is named. */
    base: Type.Union([hex32, Type.Null()]),
    /** Hash of the content, and its length. */
    content: hex32,
    /** The results of executing the block come before the entries, and take this many bytes. */
    outcomeBytes: Type.Integer({ minimum: 0, maximum: longestChunkBytes }),
    bytes: Type.Integer({ minimum: 0, maximum: longestChunkBytes }),
    /** Messages that have the entries, where they are too long for this one. */
    parts: Type.Integer({ minimum: 0, maximum: 4_096 }),
    publisher: Type.String({ maxLength: 64 }),
  },
  { additionalProperties: false },
);

/** Replicas look at one for each block. */
const factsCheck = Compile(facts);

/** The facts of a message about a block, before its entries. */
export type BlockMessageFacts = Type.Static<typeof facts>;
/** All that the publisher does not work out by itself. */
export type PlainFacts = Omit<BlockMessageFacts, "format" | "content" | "outcomeBytes" | "bytes" | "parts">;

/**
 * Returns a block's number in a message: if JSON cannot represent it, as only for an invalid block, the nearest one.
 */
export function statedNumber(number: bigint): number {
  if (number < 0n) return 0;
  return number > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(number);
}

/** Returns a state in a message, for any value of an invalid block. */
export function statedState(postStateHash: Uint8Array): string {
  return toHex(postStateHash.subarray(0, longestStateBytes));
}

const longestStateBytes = 64;
const lengthBytes = 4;
const longestFacts = 4_096;

/** A message, and those that must be there before it. */
export interface EncodedMessage {
  readonly facts: BlockMessageFacts;
  readonly bytes: Uint8Array;
  readonly parts: readonly Uint8Array[];
}

/** The content of a message about a block. */
export interface BlockContent {
  /** The stored results of executing the block (41 §8.3, §8.4); no bytes if they are unknown. */
  readonly outcome: Uint8Array;
  /** The block, then nodes and leaves. */
  readonly entries: readonly Entry[];
}

/**
 * Makes a message about a block: its facts, the results of executing it, and its block, new nodes and new leaves as in
 * a snapshot's chunk.
 *
 * @param maxBytes longer messages go into parts of at most this many bytes
 */
export async function makeMessage(
  known: PlainFacts,
  { outcome, entries }: BlockContent,
  maxBytes: number,
): Promise<EncodedMessage> {
  const content = concatBytes(outcome, chunkBytes(entries));
  const stored = await compressChunk(content);
  const room = maxBytes - longestFacts - lengthBytes;
  const parts: Uint8Array[] = [];
  if (stored.length > room) for (let at = 0; at < stored.length; at += room) parts.push(stored.subarray(at, at + room));
  const all: BlockMessageFacts = {
    ...{ format: "vedette-stream-1", ...known },
    ...{ content: toHex(blake2b256(content)), outcomeBytes: outcome.length },
    ...{ bytes: content.length, parts: parts.length },
  };
  const head = new TextEncoder().encode(JSON.stringify(all));
  const body = parts.length === 0 ? stored : new Uint8Array(0);
  const bytes = new Uint8Array(lengthBytes + head.length + body.length);
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, lengthBytes);
  bytes.set(body, lengthBytes + head.length);
  return { facts: all, bytes, parts };
}

/** @throws {StreamError} `messageWrong` */
export function readFacts(
  subject: string,
  bytes: Uint8Array,
): { readonly facts: BlockMessageFacts; readonly body: Uint8Array } {
  const wrong = (reason: string, cause?: unknown) =>
    new StreamError({ code: "messageWrong", subject, reason }, { cause });
  const length = bytes.length < lengthBytes ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (length === 0 || length > longestFacts || lengthBytes + length > bytes.length) throw wrong("it has no beginning");
  let value: unknown;
  try {
    value = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(lengthBytes, lengthBytes + length)),
    );
  } catch (error) {
    throw wrong(errorText(error), error);
  }
  if (!factsCheck.Check(value)) throw wrong("it is none of the format vedette-stream-1");
  return { facts: value, body: bytes.subarray(lengthBytes + length) };
}

/**
 * Reads the content of a message. @param stored its body, or its parts together @throws {StreamError} `messageWrong`
 */
export async function readContent(
  subject: string,
  { content, bytes: length, outcomeBytes }: BlockMessageFacts,
  stored: Uint8Array,
): Promise<BlockContent> {
  try {
    const bytes = await openChunk(content, stored, length);
    if (bytes.length !== length) throw new TypeError(`its content has ${bytes.length} bytes, and not ${length}`);
    if (outcomeBytes > length) throw new TypeError("its outcome is longer than its content");
    return {
      outcome: bytes.subarray(0, outcomeBytes),
      entries: [...entriesOf(content, bytes.subarray(outcomeBytes))],
    };
  } catch (error) {
    throw new StreamError({ code: "messageWrong", subject, reason: errorText(error) }, { cause: error });
  }
}
