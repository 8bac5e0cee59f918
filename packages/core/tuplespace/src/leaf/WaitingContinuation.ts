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

/** The parts of a waiting continuation. @spec 30 §1.1 */
export interface WaitingFields {
  /** One pattern per channel, in the order of the receive's binds. */
  readonly patterns: readonly BindPattern[];
  readonly continuation: TaggedContinuation;
  readonly persist: boolean;
  /** Indices of the peeked channels, ascending. */
  readonly peeks: readonly number[];
  readonly source: ConsumeEvent;
}

/**
 * The continuation that one consume left on its channels.
 *
 * One that comes from the history keeps its bytes, and decodes each part when it is first read. It is immutable and
 * shared between blocks.
 *
 * @spec 30 §1.1, §4.3
 */
export class WaitingContinuation implements WaitingFields {
  private patternList: readonly BindPattern[] | undefined;
  private body: TaggedContinuation | undefined;
  private isPersistent: boolean;
  private peekList: readonly number[] | undefined;
  private event: ConsumeEvent | undefined;
  private bytes: Uint8Array | undefined;

  protected constructor(fields: Partial<WaitingFields> | undefined, bytes: Uint8Array | undefined) {
    this.patternList = fields?.patterns;
    this.body = fields?.continuation;
    this.isPersistent = fields?.persist ?? false;
    this.peekList = fields?.peeks;
    this.event = fields?.source;
    this.bytes = bytes;
  }

  static of(fields: WaitingFields): WaitingContinuation {
    return new WaitingContinuation(fields, undefined);
  }

  static fromBytes(bytes: Uint8Array): WaitingContinuation {
    return new WaitingContinuation(undefined, bytes);
  }

  /** @throws {LeafError} `corrupted` */
  get patterns(): readonly BindPattern[] {
    if (this.patternList === undefined) this.decodeTerms();
    return this.patternList!;
  }

  /** @throws {LeafError} `corrupted` */
  get continuation(): TaggedContinuation {
    if (this.body === undefined) this.decodeTerms();
    return this.body!;
  }

  /** @throws {LeafError} `corrupted` */
  get persist(): boolean {
    if (this.event === undefined) this.decodeFrame();
    return this.isPersistent;
  }

  /** @throws {LeafError} `corrupted` */
  get peeks(): readonly number[] {
    if (this.event === undefined) this.decodeFrame();
    return this.peekList!;
  }

  /** @throws {LeafError} `corrupted` */
  get source(): ConsumeEvent {
    if (this.event === undefined) this.decodeFrame();
    return this.event!;
  }

  get encoding(): Uint8Array {
    return (this.bytes ??= this.write());
  }

  /**
   * These three are what another form of states replaces. Where the frame cannot be read without the terms, these are
   * given with it.
   *
   * @throws {LeafError} `corrupted`
   */
  protected readTerms(bytes: Uint8Array): Pick<WaitingFields, "patterns" | "continuation"> {
    return decodeTerms(bytes);
  }

  protected readFrame(bytes: Uint8Array): Pick<WaitingFields, "persist" | "peeks" | "source"> & Partial<WaitingFields> {
    return decodeFrame(bytes);
  }

  protected write(): Uint8Array {
    return encodeWaiting(this);
  }

  private decodeTerms(): void {
    const { patterns, continuation } = this.readTerms(this.bytes!);
    this.patternList = patterns;
    this.body = continuation;
  }

  private decodeFrame(): void {
    const { patterns, continuation, persist, peeks, source } = this.readFrame(this.bytes!);
    this.patternList ??= patterns;
    this.body ??= continuation;
    this.isPersistent = persist;
    this.peekList = peeks;
    this.event = source;
  }
}

function encodeWaiting(fields: WaitingFields): Uint8Array {
  const patterns = encodeVector(fields.patterns.map(encodeBindPattern));
  const continuation = encodeContinuation(fields.continuation);
  const { channelsHashes, hash, persistent } = fields.source;
  const wholeBytes =
    patterns.length +
    prefixBytes +
    continuation.length +
    4 +
    fields.peeks.length +
    4 +
    (channelsHashes.length + 1) * 32;
  const writer = new BitWriter(wholeBytes * 8 + 2);
  writer.raw(patterns);
  writer.prefixed(continuation);
  writer.bit(fields.persist);
  writer.i32(fields.peeks.length);
  for (const peek of fields.peeks) {
    if (peek > 0xff) throw new LeafError({ code: "peekTooLarge", peek });
    writer.u8(peek);
  }
  writer.i32(channelsHashes.length);
  for (const channelHash of channelsHashes) writer.raw(channelHash);
  writer.raw(hash);
  writer.bit(persistent);
  return writer.finish();
}

function decodeTerms(bytes: Uint8Array): Pick<WaitingFields, "patterns" | "continuation"> {
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

function decodeFrame(bytes: Uint8Array): Pick<WaitingFields, "persist" | "peeks" | "source"> {
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
