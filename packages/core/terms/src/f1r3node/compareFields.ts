import { compareBytes } from "@vedette/crypto";
import type { BitSet } from "../model/BitSet.js";
import { absentPar, type Par } from "../model/Par.js";
import { compareUtf8 } from "../order/compareUtf8.js";
import { ascendingEntries } from "./ascendingEntries.js";
import type { FieldSink, Put, Sized } from "./FieldSink.js";
import { putBundles, putConditionals, putConnectives, putFirstLists, putParFlags, writeTermBody } from "./writeTerm.js";

type Key = number | bigint | string | Uint8Array;

/**
 * Order of two messages of f1r3node by their fields, as they are declared: lists by their elements, then by
 * their length; what is absent comes first. Unlike the canonical order it distinguishes whatever has other bytes.
 *
 * @spec 61 §6
 */
function compareFields<Message>(put: Put<Message>, left: Message, right: Message): number {
  const leftKeys = keysOf(put, left);
  const rightKeys = keysOf(put, right);
  const length = Math.min(leftKeys.length, rightKeys.length);
  for (let i = 0; i < length; i += 1) {
    const difference = compareKeys(leftKeys[i]!, rightKeys[i]!);
    if (difference !== 0) return difference;
  }
  return leftKeys.length - rightKeys.length;
}

/** As {@link compareFields}, of terms. @spec 61 §6 */
export function compareParFields(left: Par, right: Par): number {
  return left === right ? 0 : compareFields(writeTermBody, left, right);
}

/** Up to the first that differ, both rows have keys of the same kinds. */
function compareKeys(left: Key, right: Key): number {
  if (left instanceof Uint8Array) return compareBytes(left, right as Uint8Array);
  if (typeof left === "string") return compareUtf8(left, right as string);
  if (left === right) return 0;
  return left < (right as typeof left) ? -1 : 1;
}

function keysOf<Message>(put: Put<Message>, message: Message): readonly Key[] {
  const sink = new KeySink();
  put(sink, message);
  return sink.keys;
}

const absent = 0;
const present = 1;
const endOfList = 0;
const element = 1;

/** Collects what decides, in the order in which it does. */
class KeySink implements FieldSink {
  readonly keys: Key[] = [];

  whole(par: Par): void {
    putFirstLists(this, par);
    putBundles(this, par);
    putConnectives(this, par);
    putConditionals(this, par);
    putParFlags(this, par);
  }

  member(index: number): void {
    this.keys.push(present, index);
  }

  noMember(): void {
    this.keys.push(absent);
  }

  bool(_: number, value: boolean): void {
    this.keys.push(value ? 1 : 0);
  }

  sint32(_: number, value: number): void {
    this.keys.push(value);
  }

  int64(_: number, value: bigint): void {
    this.keys.push(value);
  }

  sint64(_: number, value: bigint): void {
    this.keys.push(value);
  }

  fixed64(_: number, value: bigint): void {
    this.keys.push(value);
  }

  text(_: number, value: string): void {
    this.keys.push(value);
  }

  byteString(_: number, value: Uint8Array): void {
    this.keys.push(value);
  }

  nothing(): void {}

  flag(_: number, value: boolean): void {
    this.keys.push(value ? 1 : 0);
  }

  count(_: number, value: number): void {
    this.keys.push(value);
  }

  scale(_: number, value: number): void {
    this.keys.push(value);
  }

  index(_: number, value: number): void {
    this.keys.push(value);
  }

  name(_: number, value: string): void {
    this.keys.push(value);
  }

  content(_: number, value: Uint8Array): void {
    this.keys.push(value);
  }

  indices(_: number, value: BitSet): void {
    this.keys.push(value);
  }

  term(_: number, par: Par): void {
    this.optionalTerm(_, par === absentPar ? undefined : par);
  }

  optionalTerm(_: number, par: Par | undefined): void {
    this.keys.push(par === undefined ? absent : present);
    if (par !== undefined) this.whole(par);
  }

  terms(_: number, pars: readonly Par[]): void {
    for (const par of pars) {
      this.keys.push(element);
      this.whole(par);
    }
    this.keys.push(endOfList);
  }

  message<Message>(_: number, message: Message, put: Put<Message>): void {
    put(this, message);
  }

  sized<Message extends Sized>(_: number, message: Message, put: Put<Message>): void {
    put(this, message);
  }

  optional<Message>(_: number, message: Message | undefined, put: Put<Message>): void {
    this.keys.push(message === undefined ? absent : present);
    if (message !== undefined) put(this, message);
  }

  messages<Message>(_: number, messages: readonly Message[], put: Put<Message>): void {
    for (const message of messages) {
      this.keys.push(element);
      put(this, message);
    }
    this.keys.push(endOfList);
  }

  sizedMessages<Message extends Sized>(field: number, messages: readonly Message[], put: Put<Message>): void {
    this.messages(field, messages, put);
  }

  texts(_: number, values: readonly string[]): void {
    for (const value of values) this.keys.push(element, value);
    this.keys.push(endOfList);
  }

  contents(_: number, values: readonly Uint8Array[]): void {
    for (const value of values) this.keys.push(element, value);
    this.keys.push(endOfList);
  }

  entries(_: number, values: ReadonlyMap<string, Par>): void {
    for (const [key, value] of ascendingEntries(values)) {
      this.keys.push(element, key);
      this.whole(value);
    }
    this.keys.push(endOfList);
  }
}
