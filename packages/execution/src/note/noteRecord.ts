import type { Store, WritableTables } from "@vedette/store";
import { mergeableKey } from "@vedette/tuplespace";
import type { MergeableId } from "../merge/mergeableStore.js";
import { type DeployNote, emptyNote, isEmptyNote } from "./DeployNote.js";

const table = "deployNotes";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Keeps what the deploys of a block said, in the transaction of its state. @spec 41 §8.4 */
export function writeNotes(tables: WritableTables, id: MergeableId, notes: readonly DeployNote[]): void {
  tables(table).put(mergeableKey(id.postState, id.sender, id.sequenceNumber), encodeNotes(notes));
}

/** What {@link writeNotes} kept; `undefined` when the block was not executed here, or by a version that kept none. */
export function findNotes(store: Store, id: MergeableId): readonly DeployNote[] | undefined {
  const bytes = store.table(table).get(mergeableKey(id.postState, id.sender, id.sequenceNumber));
  return bytes === undefined ? undefined : decodeNotes(bytes);
}

/** As JSON: the number of deploys, then index and note of each that said something. */
function encodeNotes(notes: readonly DeployNote[]): Uint8Array {
  const said = [...notes.entries()].filter(([, note]) => !isEmptyNote(note));
  return encoder.encode(JSON.stringify([notes.length, ...said]));
}

/** @returns `undefined` for what this version did not write: it can be made anew */
function decodeNotes(bytes: Uint8Array): readonly DeployNote[] | undefined {
  try {
    const [count, ...said] = JSON.parse(decoder.decode(bytes)) as [number, ...(readonly [number, DeployNote])[]];
    const notes = Array.from({ length: count }, () => emptyNote);
    for (const [index, note] of said) notes[index] = note;
    return notes;
  } catch {
    return undefined;
  }
}
