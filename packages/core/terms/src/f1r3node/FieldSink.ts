import type { BitSet } from "../model/BitSet.js";
import type { Par } from "../model/Par.js";

/** Gives the fields of a message to a sink, one call for each, in the order in which bincode has them. */
export type Put<Message> = (sink: FieldSink, message: Message) => void;

/** A message that remembers its size in protobuf. */
export interface Sized {
  cachedSize: number;
}

/**
 * Takes the fields of messages of f1r3node's networks: to write them in protobuf or in bincode, or to count the bytes.
 * Only `writeTerm.ts` defines the fields of a message and their order.
 *
 * `field` is the number in protobuf. A field of the first group is there also when its value is the default, one of
 * the second is then left out of protobuf; bincode has them all.
 *
 * @spec 61 §2
 */
export interface FieldSink {
  /** Before the one field of a oneof: its number among the members. */
  member(index: number): void;
  /** In the place of a oneof that has none. */
  noMember(): void;
  bool(field: number, value: boolean): void;
  sint32(field: number, value: number): void;
  int64(field: number, value: bigint): void;
  sint64(field: number, value: bigint): void;
  /** A 64-bit pattern. */
  fixed64(field: number, value: bigint): void;
  text(field: number, value: string): void;
  byteString(field: number, value: Uint8Array): void;
  /** A message without fields. */
  nothing(field: number): void;

  flag(field: number, value: boolean): void;
  /** An `int32`. */
  count(field: number, value: number): void;
  /** A `uint32`. */
  scale(field: number, value: number): void;
  index(field: number, value: number): void;
  name(field: number, value: string): void;
  content(field: number, value: Uint8Array): void;
  /** The free variables of a term: as it is in protobuf, empty in bincode. */
  indices(field: number, value: BitSet): void;

  /** A term that must be there, unless it is `absentPar`. */
  term(field: number, par: Par): void;
  /** The fields of a term themselves: of one that is a member of a oneof. */
  whole(par: Par): void;
  optionalTerm(field: number, par: Par | undefined): void;
  terms(field: number, pars: readonly Par[]): void;
  message<Message>(field: number, message: Message, put: Put<Message>): void;
  /** As {@link message}, of one that remembers its size. */
  sized<Message extends Sized>(field: number, message: Message, put: Put<Message>): void;
  /**
   * A message in bincode after a byte that states whether it is there: not a member of a oneof, nor an element of a
   * list.
   */
  optional<Message>(field: number, message: Message | undefined, put: Put<Message>): void;
  messages<Message>(field: number, messages: readonly Message[], put: Put<Message>): void;
  sizedMessages<Message extends Sized>(field: number, messages: readonly Message[], put: Put<Message>): void;
  texts(field: number, values: readonly string[]): void;
  contents(field: number, values: readonly Uint8Array[]): void;
  /** A map, in ascending order of its keys. */
  entries(field: number, values: ReadonlyMap<string, Par>): void;
}
