import {
  BincodeReader,
  readStoredBindPattern,
  readStoredContinuation,
  readStoredListParWithRandom,
  readStoredPar,
} from "@vedette/terms";
import { readItems, type StateContinuation, type StateDatum, type StateItems } from "../leafItems.js";
import type { StateKind } from "../StateProof.js";
import { badForm } from "../StateProofError.js";

/** Kinds by the number with which a leaf begins. @spec 61 §2.2 */
const kinds: readonly StateKind[] = ["joins", "data", "continuations"];

/**
 * Reads a leaf of a state of f1r3node, the hash of which was checked. What it holds is not covered by that, so that
 * it has to be what is kept below such a key.
 *
 * @param leaf `undefined` for the absent one
 * @spec 61 §2.2
 * @throws {StateProofError}; {DecodeError}
 */
export function bincodeLeafItems(kind: StateKind, leaf: Uint8Array | undefined): StateItems {
  return readItems(kind, leaf === undefined ? [] : encodedItems(kind, leaf), { datumOf, continuationOf, joinOf });
}

function encodedItems(kind: StateKind, leaf: Uint8Array): readonly Uint8Array[] {
  const reader = new BincodeReader(leaf);
  if (kinds[reader.int32()] !== kind) throw badForm("leaf", `does not hold ${kind}`);
  const list = new BincodeReader(reader.counted());
  if (!reader.isAtEnd) throw badForm("leaf", "goes on behind its end");
  return readMany(list, () => list.counted());
}

function readMany<Part>(reader: BincodeReader, readOne: () => Part): Part[] {
  const parts: Part[] = [];
  for (let left = reader.count(); left > 0; left -= 1) parts.push(readOne());
  return parts;
}

function datumOf(item: Uint8Array): StateDatum {
  const reader = new BincodeReader(item);
  const { pars } = readStoredListParWithRandom(reader);
  return { pars, persist: reader.bool() };
}

function continuationOf(item: Uint8Array): StateContinuation {
  const reader = new BincodeReader(item);
  const patterns = readMany(reader, () => readStoredBindPattern(reader));
  const continuation = readStoredContinuation(reader);
  const persist = reader.bool();
  return { patterns, continuation, persist, peeks: readMany(reader, () => reader.int32()) };
}

function joinOf(item: Uint8Array) {
  const reader = new BincodeReader(item);
  return readMany(reader, () => readStoredPar(reader));
}
