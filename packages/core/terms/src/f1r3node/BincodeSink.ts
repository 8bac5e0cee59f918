import { blake2b256, blake2b256Input, blake2b256OfInput } from "@vedette/crypto";
import { BincodeWriter } from "../bincode/BincodeWriter.js";
import { absentPar, nil, type Par, wasWritten } from "../model/Par.js";
import { ascendingEntries } from "./ascendingEntries.js";
import type { FieldSink, Put, Sized } from "./FieldSink.js";
import { isAtom } from "./isAtom.js";
import { putExpr } from "./putExpr.js";
import {
  putBundles,
  putConditionals,
  putConnectives,
  putFirstLists,
  putParFlags,
  putUnforgeable,
} from "./writeTerm.js";

/** The size limits of parts that are kept as bytes: in protobuf, which takes about a tenth. */
const minKeptBytes = 64;
const maxKeptBytes = 4096;

/** Lists of a Par in front of its expressions, behind them, and behind its names, with the set of free variables. */
const countsBeforeExprs = 3;
const countsBehindExprs = 6;
const countsBehindNames = 4;
const countsOfPar = countsBeforeExprs + 1 + countsBehindExprs;

/** Writes messages in bincode: what f1r3node networks hash and store. @spec 61 §2 */
class BincodeSink implements FieldSink {
  /** Whether no part is kept: one is written that will be, or the whole is. */
  private isKeeping = false;

  constructor(private readonly writer: BincodeWriter) {}

  /** Begins another message. @param keeps whether parts that are written a second time are kept as bytes */
  restart(keeps: boolean): void {
    this.writer.restart();
    this.isKeeping = !keeps;
  }

  /**
   * The bodies of one contract's continuations share most of their parts. Those of middle size are kept as bytes when
   * they are written a second time, the largest shared part alone, so that the next body is mostly copied.
   */
  whole(par: Par): void {
    const { writer } = this;
    const { cachedSize } = par;
    // The one term that all dialects share.
    if (par === nil) {
      writer.zeros(countsOfPar);
      writer.bool(false);
    } else if (par.cachedEncoding !== undefined) writer.raw(par.cachedEncoding);
    else if (this.isKeeping || cachedSize < minKeptBytes || cachedSize > maxKeptBytes) this.fields(par);
    else if ((par.cachedFacts & wasWritten) === 0) {
      par.cachedFacts |= wasWritten;
      this.fields(par);
    } else {
      const begin = writer.position;
      this.isKeeping = true;
      this.fields(par);
      this.isKeeping = false;
      par.cachedEncoding = writer.copy(begin);
    }
  }

  /** PERF: nearly every Par has one expression or one name and nothing else: its empty lists are written together. */
  private fields(par: Par): void {
    const { exprs, unforgeables } = par;
    if (!isAtom(par)) {
      this.allFields(par);
      return;
    }
    const { writer } = this;
    writer.zeros(countsBeforeExprs);
    writer.count(exprs.length);
    if (exprs.length === 1) {
      putExpr(this, exprs[0]!);
      writer.zeros(countsBehindExprs);
    } else {
      writer.zeros(1);
      writer.count(1);
      putUnforgeable(this, unforgeables[0]!);
      writer.zeros(countsBehindNames);
    }
    writer.bool(par.connectiveUsed);
  }

  private allFields(par: Par): void {
    putFirstLists(this, par);
    putBundles(this, par);
    putConnectives(this, par);
    putConditionals(this, par);
    putParFlags(this, par);
  }

  member(index: number): void {
    this.writer.bool(true);
    this.writer.int32(index);
  }

  noMember(): void {
    this.writer.bool(false);
  }

  bool(_: number, value: boolean): void {
    this.writer.bool(value);
  }

  sint32(_: number, value: number): void {
    this.writer.int32(value);
  }

  int64(_: number, value: bigint): void {
    this.writer.int64(value);
  }

  sint64(_: number, value: bigint): void {
    this.writer.int64(value);
  }

  fixed64(_: number, value: bigint): void {
    this.writer.int64(value);
  }

  text(_: number, value: string): void {
    this.writer.text(value);
  }

  byteString(_: number, value: Uint8Array): void {
    this.writer.counted(value);
  }

  nothing(): void {}

  flag(_: number, value: boolean): void {
    this.writer.bool(value);
  }

  count(_: number, value: number): void {
    this.writer.int32(value);
  }

  scale(_: number, value: number): void {
    this.writer.int32(value);
  }

  index(_: number, value: number): void {
    this.writer.int32(value);
  }

  name(_: number, value: string): void {
    this.writer.text(value);
  }

  content(_: number, value: Uint8Array): void {
    this.writer.counted(value);
  }

  indices(): void {
    this.writer.count(0);
  }

  term(_: number, par: Par): void {
    this.writer.bool(par !== absentPar);
    if (par !== absentPar) this.whole(par);
  }

  optionalTerm(_: number, par: Par | undefined): void {
    this.writer.bool(par !== undefined);
    if (par !== undefined) this.whole(par);
  }

  terms(_: number, pars: readonly Par[]): void {
    this.writer.count(pars.length);
    for (let i = 0; i < pars.length; i += 1) this.whole(pars[i]!);
  }

  message<Message>(_: number, message: Message, put: Put<Message>): void {
    put(this, message);
  }

  sized<Message extends Sized>(_: number, message: Message, put: Put<Message>): void {
    put(this, message);
  }

  optional<Message>(_: number, message: Message | undefined, put: Put<Message>): void {
    this.writer.bool(message !== undefined);
    if (message !== undefined) put(this, message);
  }

  messages<Message>(_: number, messages: readonly Message[], put: Put<Message>): void {
    this.writer.count(messages.length);
    for (let i = 0; i < messages.length; i += 1) put(this, messages[i]!);
  }

  sizedMessages<Message extends Sized>(field: number, messages: readonly Message[], put: Put<Message>): void {
    this.messages(field, messages, put);
  }

  texts(_: number, values: readonly string[]): void {
    this.writer.count(values.length);
    for (const value of values) this.writer.text(value);
  }

  contents(_: number, values: readonly Uint8Array[]): void {
    this.writer.count(values.length);
    for (const value of values) this.writer.counted(value);
  }

  entries(_: number, values: ReadonlyMap<string, Par>): void {
    this.writer.count(values.size);
    if (values.size === 0) return;
    for (const [key, value] of ascendingEntries(values)) {
      this.writer.text(key);
      this.whole(value);
    }
  }
}

/**
 * Every message is written here: none is written, nor anything else hashed, while another one is.
 *
 * PERF: where it is hashed, so that what is only hashed is not copied.
 */
const writer = new BincodeWriter(blake2b256Input);
const sink = new BincodeSink(writer);

/** The bytes of one message, which its owner keeps: its parts are not worth it. @throws {TermLimitError} `tooLarge` */
export function toBytes<Message>(message: Message, put: Put<Message>): Uint8Array {
  sink.restart(false);
  put(sink, message);
  return writer.copy();
}

/** Blake2b-256 of {@link toBytes}. @throws {TermLimitError} `tooLarge` */
export function hashOf<Message>(message: Message, put: Put<Message>): Uint8Array {
  sink.restart(true);
  put(sink, message);
  return hashOfWritten();
}

/** A part of what is hashed: bytes, or what is written only to be hashed. */
export type HashedPart = Uint8Array | (() => void);

/** Writes one message when {@link hashOfParts} requests it. */
export function hashedPart<Message>(message: Message, put: Put<Message>): HashedPart {
  return () => put(sink, message);
}

/**
 * Blake2b-256 of several parts: their number, then each with its length. What is only hashed is not copied.
 *
 * @throws {TermLimitError} `tooLarge`
 * @spec 61 §2.1
 */
export function hashOfParts(parts: readonly HashedPart[]): Uint8Array {
  sink.restart(true);
  writer.count(parts.length);
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i]!;
    if (part instanceof Uint8Array) writer.counted(part);
    else writer.countedBy(part);
  }
  return hashOfWritten();
}

function hashOfWritten(): Uint8Array {
  return writer.isInFirstRoom ? blake2b256OfInput(writer.position) : blake2b256(writer.written);
}
