import {
  type BindPattern,
  decodeBindPattern,
  decodeContinuation,
  decodeListParWithRandom,
  decodePar,
  type Par,
  type TaggedContinuation,
} from "@vedette/terms";
import { LeafReader } from "./LeafReader.js";
import type { StateKind } from "./StateProof.js";
import { badForm } from "./StateProofError.js";

/** The data of one send on a name. */
export interface StateDatum {
  readonly pars: readonly Par[];
  /** Whether it was sent with `!!`. */
  readonly persist: boolean;
}

/** A receive that waits on names. */
export interface StateContinuation {
  /** One a bind, in their order. */
  readonly patterns: readonly BindPattern[];
  readonly continuation: TaggedContinuation;
  /** Whether it was written with `<=`, or as a contract. */
  readonly persist: boolean;
  /** Binds that were written with `<<-`. */
  readonly peeks: readonly number[];
}

/** The entries of a state below a name; lists are empty if it has none. */
export type StateItems =
  | { readonly kind: "data"; readonly data: readonly StateDatum[] }
  | { readonly kind: "continuations"; readonly continuations: readonly StateContinuation[] }
  | { readonly kind: "joins"; readonly joins: readonly (readonly Par[])[] };

/** Kinds by the two bits with which a leaf begins. @spec 30 §4.5 */
const kindsByTag: readonly (StateKind | undefined)[] = ["joins", "data", "continuations", undefined];

/**
 * Reads a leaf of the state tree, the hash of which was checked.
 *
 * @param leaf `undefined` for the absent one
 * @spec 30 §4.3 to §4.6
 * @throws {StateProofError}; what decoding the terms throws
 */
export function leafItems(kind: StateKind, leaf: Uint8Array | undefined): StateItems {
  return readItems(kind, leaf === undefined ? [] : encodedItems(kind, leaf), { datumOf, continuationOf, joinOf });
}

/** How the items of a leaf are read. */
interface ItemReaders {
  readonly datumOf: (item: Uint8Array) => StateDatum;
  readonly continuationOf: (item: Uint8Array) => StateContinuation;
  readonly joinOf: (item: Uint8Array) => readonly Par[];
}

/** Reads each item of a leaf. */
export function readItems(kind: StateKind, items: readonly Uint8Array[], readers: ItemReaders): StateItems {
  switch (kind) {
    case "data":
      return { kind, data: items.map(readers.datumOf) };
    case "continuations":
      return { kind, continuations: items.map(readers.continuationOf) };
    case "joins":
      return { kind, joins: items.map(readers.joinOf) };
  }
}

function encodedItems(kind: StateKind, leaf: Uint8Array): readonly Uint8Array[] {
  const reader = new LeafReader(leaf);
  const tag = (reader.bit() ? 2 : 0) + (reader.bit() ? 1 : 0);
  if (kindsByTag[tag] !== kind) throw badForm("leaf", `does not hold ${kind}`);
  return new LeafReader(reader.prefixed()).list();
}

function datumOf(item: Uint8Array): StateDatum {
  const reader = new LeafReader(item);
  const { pars } = decodeListParWithRandom(reader.prefixed());
  return { pars, persist: reader.bit() };
}

function continuationOf(item: Uint8Array): StateContinuation {
  const reader = new LeafReader(item);
  const patterns = reader.list().map((pattern) => decodeBindPattern(pattern));
  const continuation = decodeContinuation(reader.prefixed());
  const persist = reader.bit();
  const peeks: number[] = [];
  const count = reader.count(1);
  for (let i = 0; i < count; i += 1) peeks.push(reader.u8());
  return { patterns, continuation, persist, peeks };
}

function joinOf(item: Uint8Array): readonly Par[] {
  return new LeafReader(item).list().map((channel) => decodePar(new LeafReader(channel).prefixed()));
}
