import { type BitSet, bitSetFromBytes, byteBitSet, emptyBitSet } from "../model/BitSet.js";
import { nil, none, type Par } from "../model/Par.js";
import { type Repeats, readMarked } from "./Repeats.js";
import type { TermReader } from "./TermReader.js";

/** Reads a Par up to the end of the reader's window. */
export function readPar(reader: TermReader): Par {
  return reader.par();
}

/** Reads one element of a repeated message field. */
export function readNested<Message>(reader: TermReader, read: (reader: TermReader) => Message): Message {
  const outer = reader.enter();
  const message = read(reader);
  reader.leave(outer);
  return message;
}

/** A list with one more element; a list that is being read is ours to extend, the shared empty one is not. */
export function added<Element>(list: readonly Element[], element: Element): readonly Element[] {
  if (list === none) return [element];
  (list as Element[]).push(element);
  return list;
}

/** Reads a set of indices. */
export function readBits(reader: TermReader): BitSet {
  const end = reader.contentEnd();
  const size = end - reader.position;
  if (size === 0) return emptyBitSet;
  const first = reader.bytes[reader.position]!;
  const bits = size === 1 ? byteBitSet(first) : bitSetFromBytes(reader.bytes.slice(reader.position, end));
  reader.position = end;
  return bits;
}

/** An embedded Par that was marked, or Nil where it is absent. */
export function readEmbedded(reader: TermReader, place: number, field: number, repeats: Repeats | undefined): Par {
  return place < 0 ? nil : readMarked(reader, place, field, repeats, readPar);
}
