import type { BitSet } from "../model/BitSet.js";
import { absentPar, type Par } from "../model/Par.js";
import { utf8Size } from "../wire/utf8.js";
import { framedSize, int32Size, sint64Size, uint64Size, varintSize, zigZag32 } from "../wire/varint.js";
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

/** Counts the bytes of messages in protobuf. @spec 20 §10, 61 §2 */
export class ProtobufSizer implements FieldSink {
  private size = 0;

  /** Returns the size of a term, and caches it there. */
  ofPar(par: Par): number {
    if (par.cachedSize < 0) par.cachedSize = isAtom(par) ? this.ofAtom(par) : this.of(par, putWholePar);
    return par.cachedSize;
  }

  /** PERF: of what nearly every Par is, without a look at the lists that it does not have. */
  private ofAtom({ exprs, unforgeables, locallyFree, connectiveUsed }: Par): number {
    const content = exprs.length === 1 ? this.of(exprs[0]!, putExpr) : this.of(unforgeables[0]!, putUnforgeable);
    const size = connectiveUsed ? framedSize(content) + 2 : framedSize(content);
    return locallyFree.length === 0 ? size : size + framedSize(locallyFree.length);
  }

  /** Returns the size of a message. */
  of<Message>(message: Message, put: Put<Message>): number {
    const outer = this.size;
    this.size = 0;
    put(this, message);
    const { size } = this;
    this.size = outer;
    return size;
  }

  /** As {@link of}, remembered with the message. */
  ofSized<Message extends Sized>(message: Message, put: Put<Message>): number {
    if (message.cachedSize < 0) message.cachedSize = this.of(message, put);
    return message.cachedSize;
  }

  member(): void {}
  noMember(): void {}

  bool(field: number): void {
    this.size += tagSize(field) + 1;
  }

  sint32(field: number, value: number): void {
    this.size += tagSize(field) + varintSize(zigZag32(value));
  }

  int64(field: number, value: bigint): void {
    this.size += tagSize(field) + uint64Size(BigInt.asUintN(64, value));
  }

  sint64(field: number, value: bigint): void {
    this.size += tagSize(field) + sint64Size(value);
  }

  fixed64(field: number): void {
    this.size += tagSize(field) + 8;
  }

  text(field: number, value: string): void {
    this.frame(field, utf8Size(value));
  }

  byteString(field: number, value: Uint8Array): void {
    this.frame(field, value.length);
  }

  nothing(field: number): void {
    this.frame(field, 0);
  }

  flag(field: number, value: boolean): void {
    if (value) this.bool(field);
  }

  count(field: number, value: number): void {
    if (value !== 0) this.size += tagSize(field) + int32Size(value);
  }

  scale(field: number, value: number): void {
    if (value !== 0) this.size += tagSize(field) + varintSize(value);
  }

  index(field: number, value: number): void {
    if (value !== 0) this.sint32(field, value);
  }

  name(field: number, value: string): void {
    if (value.length > 0) this.text(field, value);
  }

  content(field: number, value: Uint8Array): void {
    if (value.length > 0) this.frame(field, value.length);
  }

  indices(field: number, value: BitSet): void {
    if (value.length > 0) this.frame(field, value.length);
  }

  term(field: number, par: Par): void {
    if (par !== absentPar) this.frame(field, this.ofPar(par));
  }

  whole(par: Par): void {
    this.size += this.ofPar(par);
  }

  optionalTerm(field: number, par: Par | undefined): void {
    if (par !== undefined) this.frame(field, this.ofPar(par));
  }

  terms(field: number, pars: readonly Par[]): void {
    for (let i = 0; i < pars.length; i += 1) this.frame(field, this.ofPar(pars[i]!));
  }

  message<Message>(field: number, message: Message, put: Put<Message>): void {
    this.frame(field, this.of(message, put));
  }

  sized<Message extends Sized>(field: number, message: Message, put: Put<Message>): void {
    this.frame(field, this.ofSized(message, put));
  }

  optional<Message>(field: number, message: Message | undefined, put: Put<Message>): void {
    if (message !== undefined) this.frame(field, this.of(message, put));
  }

  messages<Message>(field: number, messages: readonly Message[], put: Put<Message>): void {
    for (let i = 0; i < messages.length; i += 1) this.frame(field, this.of(messages[i]!, put));
  }

  sizedMessages<Message extends Sized>(field: number, messages: readonly Message[], put: Put<Message>): void {
    for (let i = 0; i < messages.length; i += 1) this.frame(field, this.ofSized(messages[i]!, put));
  }

  texts(field: number, values: readonly string[]): void {
    for (const value of values) this.text(field, value);
  }

  contents(field: number, values: readonly Uint8Array[]): void {
    for (const value of values) this.frame(field, value.length);
  }

  entries(field: number, values: ReadonlyMap<string, Par>): void {
    for (const [key, value] of values) this.frame(field, this.ofEntry(key, value));
  }

  /** Returns the size of an entry of a map. */
  ofEntry(key: string, value: Par): number {
    const size = framedSize(this.ofPar(value));
    return key.length === 0 ? size : size + framedSize(utf8Size(key));
  }

  private frame(field: number, size: number): void {
    this.size += tagSize(field) + varintSize(size) + size;
  }
}

function tagSize(field: number): number {
  return field < 16 ? 1 : 2;
}

function putWholePar(sink: FieldSink, par: Par): void {
  putFirstLists(sink, par);
  putConnectives(sink, par);
  putParFlags(sink, par);
  putBundles(sink, par);
  putConditionals(sink, par);
}
