import { blake2b256 } from "@vedette/crypto";
import { BincodeWriter } from "../bincode/BincodeWriter.js";
import { absentPar, type Par } from "../model/Par.js";
import { ascendingEntries } from "./ascendingEntries.js";
import type { FieldSink, Put, Sized } from "./FieldSink.js";
import { putBundles, putConditionals, putConnectives, putFirstLists, putParFlags } from "./putTerm.js";

/** Writes messages in bincode: what networks of the newer node hash and store. @spec 61 §2 */
export class BincodeSink implements FieldSink {
  constructor(private readonly writer: BincodeWriter) {}

  whole(par: Par): void {
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

/** Every message is written here: none is written while another one is. */
const writer = new BincodeWriter(1 << 14);
const sink = new BincodeSink(writer);

/** The bytes of one message. @throws {TermLimitError} `tooLarge` */
export function toBytes<Message>(message: Message, put: Put<Message>): Uint8Array {
  writer.restart();
  put(sink, message);
  return writer.copy();
}

/** Blake2b-256 of {@link toBytes}. @throws {TermLimitError} `tooLarge` */
export function hashOf<Message>(message: Message, put: Put<Message>): Uint8Array {
  return hashOfWritten(() => put(sink, message));
}

/** A part of what is hashed: bytes, or what is written only to be hashed. */
export type HashedPart = Uint8Array | (() => void);

/** Writes one message where {@link hashOfParts} asks for it. */
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
  return hashOfWritten(() => {
    writer.count(parts.length);
    for (const part of parts) {
      if (part instanceof Uint8Array) writer.counted(part);
      else writer.countedBy(part);
    }
  });
}

function hashOfWritten(write: () => void): Uint8Array {
  writer.restart();
  write();
  return blake2b256(writer.written);
}
