import { ConsumeEvent } from "@vedette/protocol";
import {
  type BindPattern,
  decodeBindPattern,
  decodeContinuation,
  encodeBindPattern,
  encodeContinuation,
  type TaggedContinuation,
} from "@vedette/terms";
import { BitReader } from "./BitReader.js";
import { BitWriter } from "./BitWriter.js";
import { encodeVector } from "./itemList.js";
import { corrupted, LeafError } from "./LeafError.js";

const prefixBytes = 8;
const hashBytes = 32;

/** The terms of a continuation that waits. */
interface Terms {
  readonly patterns: readonly BindPattern[];
  readonly continuation: TaggedContinuation;
}

/** Everything else about it. */
interface Frame {
  readonly persist: boolean;
  readonly peeks: readonly number[];
  readonly source: ConsumeEvent;
}

/**
 * What one consume left on its channels.
 *
 * One that comes from the history keeps its bytes and is decoded part by part when somebody looks; shared
 * between blocks and immutable.
 *
 * @spec 30 §1.1, §4.3
 */
export class WaitingContinuation {
  private terms: Terms | undefined;
  private frame: Frame | undefined;
  private bytes: Uint8Array | undefined;

  private constructor(terms: Terms | undefined, frame: Frame | undefined, bytes: Uint8Array | undefined) {
    this.terms = terms;
    this.frame = frame;
    this.bytes = bytes;
  }

  static of(terms: Terms, frame: Frame): WaitingContinuation {
    return new WaitingContinuation(terms, frame, undefined);
  }

  static fromBytes(bytes: Uint8Array): WaitingContinuation {
    return new WaitingContinuation(undefined, undefined, bytes);
  }

  /** One pattern per channel, in the order of the receive's binds. @throws {LeafError} `corrupted` */
  get patterns(): readonly BindPattern[] {
    return (this.terms ??= decodeTerms(this.bytes!)).patterns;
  }

  /** @throws {LeafError} `corrupted` */
  get continuation(): TaggedContinuation {
    return (this.terms ??= decodeTerms(this.bytes!)).continuation;
  }

  /** @throws {LeafError} `corrupted` */
  get persist(): boolean {
    return (this.frame ??= decodeFrame(this.bytes!)).persist;
  }

  /** Indices of the peeked channels, ascending. @throws {LeafError} `corrupted` */
  get peeks(): readonly number[] {
    return (this.frame ??= decodeFrame(this.bytes!)).peeks;
  }

  /** @throws {LeafError} `corrupted` */
  get source(): ConsumeEvent {
    return (this.frame ??= decodeFrame(this.bytes!)).source;
  }

  get encoding(): Uint8Array {
    if (this.bytes === undefined) this.bytes = encodeWaiting(this.terms!, this.frame!);
    return this.bytes;
  }
}

function encodeWaiting(terms: Terms, frame: Frame): Uint8Array {
  const patterns = encodeVector(terms.patterns.map(encodeBindPattern));
  const continuation = encodeContinuation(terms.continuation);
  const { channelsHashes, hash, persistent } = frame.source;
  const wholeBytes =
    patterns.length + prefixBytes + continuation.length + 4 + frame.peeks.length + 4 + (channelsHashes.length + 1) * 32;
  const writer = new BitWriter(wholeBytes * 8 + 2);
  writer.raw(patterns);
  writer.prefixed(continuation);
  writer.bit(frame.persist);
  writer.i32(frame.peeks.length);
  for (const peek of frame.peeks) {
    if (peek > 0xff) throw new LeafError({ code: "peekTooLarge", peek });
    writer.u8(peek);
  }
  writer.i32(channelsHashes.length);
  for (const channelHash of channelsHashes) writer.raw(channelHash);
  writer.raw(hash);
  writer.bit(persistent);
  return writer.finish();
}

function decodeTerms(bytes: Uint8Array): Terms {
  const reader = new BitReader(bytes);
  const count = reader.count(prefixBytes);
  const patternBytes: Uint8Array[] = [];
  for (let i = 0; i < count; i += 1) patternBytes.push(reader.prefixed());
  const continuationBytes = reader.prefixed();
  try {
    const patterns = patternBytes.map((encoded) => {
      const pattern = decodeBindPattern(encoded);
      pattern.cachedEncoding ??= encoded;
      return pattern;
    });
    const continuation = decodeContinuation(continuationBytes);
    continuation.cachedEncoding ??= continuationBytes;
    return { patterns, continuation };
  } catch (cause) {
    throw corrupted("The terms of a continuation cannot be read.", cause);
  }
}

function decodeFrame(bytes: Uint8Array): Frame {
  const reader = new BitReader(bytes);
  const count = reader.count(prefixBytes);
  for (let i = 0; i < count; i += 1) reader.prefixed();
  reader.prefixed();
  const persist = reader.bit();
  const peeks: number[] = [];
  const peekCount = reader.count(1);
  for (let i = 0; i < peekCount; i += 1) peeks.push(reader.u8());
  const channelsHashes: Uint8Array[] = [];
  const hashCount = reader.count(hashBytes);
  for (let i = 0; i < hashCount; i += 1) channelsHashes.push(reader.raw(hashBytes));
  const hash = reader.raw(hashBytes);
  return { persist, peeks, source: new ConsumeEvent(channelsHashes, hash, reader.bit()) };
}
