import type { BitSet } from "../model/BitSet.js";
import { absentPar, type Par } from "../model/Par.js";
import { checkTermSize } from "../model/TermLimitError.js";
import { PieceWriter } from "../wire/PieceWriter.js";
import { utf8Size } from "../wire/utf8.js";
import { ascendingEntries } from "./ascendingEntries.js";
import type { FieldSink, Put, Sized } from "./FieldSink.js";
import type { ProtobufSizer } from "./ProtobufSizer.js";
import { putBundles, putConditionals, putConnectives, putFirstLists, putParFlags } from "./writeTerm.js";

/** Writes messages in protobuf: fields in the order of their numbers, present messages also when empty. @spec 61 §2 */
export class ProtobufSink implements FieldSink {
  private readonly writer: PieceWriter;

  /** @throws {TermLimitError} `tooLarge` */
  constructor(
    sizeBytes: number,
    private readonly sizer: ProtobufSizer,
  ) {
    checkTermSize(sizeBytes);
    this.writer = new PieceWriter(new Uint8Array(sizeBytes));
  }

  get bytes(): Uint8Array {
    return this.writer.bytes;
  }

  whole(par: Par): void {
    putFirstLists(this, par);
    putConnectives(this, par);
    putParFlags(this, par);
    putBundles(this, par);
    putConditionals(this, par);
  }

  member(): void {}
  noMember(): void {}

  bool(field: number, value: boolean): void {
    this.writer.varint(field << 3);
    this.writer.varint(value ? 1 : 0);
  }

  sint32(field: number, value: number): void {
    this.writer.varint(field << 3);
    this.writer.sint32(value);
  }

  int64(field: number, value: bigint): void {
    this.writer.varint(field << 3);
    this.writer.uint64(BigInt.asUintN(64, value));
  }

  sint64(field: number, value: bigint): void {
    this.writer.varint(field << 3);
    this.writer.sint64(value);
  }

  fixed64(field: number, value: bigint): void {
    this.writer.varint((field << 3) | 1);
    for (let rest = value, i = 0; i < 8; i += 1, rest >>= 8n)
      this.writer.bytes[this.writer.position++] = Number(rest & 0xffn);
  }

  text(field: number, value: string): void {
    this.writer.farHead(field, utf8Size(value));
    this.writer.utf8(value);
  }

  byteString(field: number, value: Uint8Array): void {
    this.writer.farHead(field, value.length);
    this.writer.raw(value);
  }

  nothing(field: number): void {
    this.writer.head(field, 0);
  }

  flag(field: number, value: boolean): void {
    if (value) this.writer.flag(field);
  }

  count(field: number, value: number): void {
    if (value === 0) return;
    this.writer.varint(field << 3);
    this.writer.int32(value);
  }

  scale(field: number, value: number): void {
    if (value === 0) return;
    this.writer.varint(field << 3);
    this.writer.varint(value);
  }

  index(field: number, value: number): void {
    if (value !== 0) this.sint32(field, value);
  }

  name(field: number, value: string): void {
    if (value.length > 0) this.text(field, value);
  }

  content(field: number, value: Uint8Array): void {
    if (value.length > 0) this.byteString(field, value);
  }

  indices(field: number, value: BitSet): void {
    if (value.length > 0) this.byteString(field, value);
  }

  term(field: number, par: Par): void {
    if (par !== absentPar) this.element(field, par);
  }

  optionalTerm(field: number, par: Par | undefined): void {
    if (par !== undefined) this.element(field, par);
  }

  terms(field: number, pars: readonly Par[]): void {
    for (let i = 0; i < pars.length; i += 1) this.element(field, pars[i]!);
  }

  message<Message>(field: number, message: Message, put: Put<Message>): void {
    this.writer.farHead(field, this.sizer.of(message, put));
    put(this, message);
  }

  sized<Message extends Sized>(field: number, message: Message, put: Put<Message>): void {
    this.writer.farHead(field, this.sizer.ofSized(message, put));
    put(this, message);
  }

  optional<Message>(field: number, message: Message | undefined, put: Put<Message>): void {
    if (message !== undefined) this.message(field, message, put);
  }

  messages<Message>(field: number, messages: readonly Message[], put: Put<Message>): void {
    for (let i = 0; i < messages.length; i += 1) this.message(field, messages[i]!, put);
  }

  sizedMessages<Message extends Sized>(field: number, messages: readonly Message[], put: Put<Message>): void {
    for (let i = 0; i < messages.length; i += 1) this.sized(field, messages[i]!, put);
  }

  texts(field: number, values: readonly string[]): void {
    for (const value of values) this.text(field, value);
  }

  contents(field: number, values: readonly Uint8Array[]): void {
    for (const value of values) this.byteString(field, value);
  }

  entries(field: number, values: ReadonlyMap<string, Par>): void {
    if (values.size === 0) return;
    for (const [key, value] of ascendingEntries(values)) {
      this.writer.head(field, this.sizer.ofEntry(key, value));
      this.name(1, key);
      this.element(2, value);
    }
  }

  private element(field: number, par: Par): void {
    this.writer.head(field, this.sizer.ofPar(par));
    this.whole(par);
  }
}
