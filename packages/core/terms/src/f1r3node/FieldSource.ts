import type { BitSet } from "../model/BitSet.js";
import type { Par } from "../model/Par.js";

/** Makes a message of a source's fields, which it reads in the order of bincode. */
export type Take<Message> = (source: FieldSource) => Message;

/**
 * Gives the fields of messages of f1r3node's networks, from protobuf or from bincode. Only `decodeTerm.ts` defines the
 * fields of a message and their order; the methods are those of `FieldSink`.
 *
 * @spec 61 §2
 */
export interface FieldSource {
  /**
   * Which member of a oneof is there: the next call is for that.
   *
   * @param fields their numbers in protobuf, in the order of their declaration
   * @returns its number in protobuf, 0 for none
   */
  member(fields: readonly number[]): number;
  bool(field: number): boolean;
  sint32(field: number): number;
  int64(field: number): bigint;
  sint64(field: number): bigint;
  fixed64(field: number): bigint;
  text(field: number): string;
  byteString(field: number): Uint8Array;
  nothing(field: number): void;

  flag(field: number): boolean;
  count(field: number): number;
  scale(field: number): number;
  index(field: number): number;
  name(field: number): string;
  content(field: number): Uint8Array;
  indices(field: number): BitSet;

  term(field: number): Par;
  optionalTerm(field: number): Par | undefined;
  terms(field: number): readonly Par[];
  message<Message>(field: number, take: Take<Message>): Message;
  optional<Message>(field: number, take: Take<Message>): Message | undefined;
  messages<Message>(field: number, take: Take<Message>): readonly Message[];
  texts(field: number): readonly string[];
  contents(field: number): readonly Uint8Array[];
  entries(field: number): ReadonlyMap<string, Par>;
}
