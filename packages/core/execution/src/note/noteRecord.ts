import { type DeployNote, emptyNote, isEmptyNote } from "./DeployNote.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** As JSON: the number of deploys, then index and note of each deploy with one. @spec 41 §8.4 */
export function encodeNotes(notes: readonly DeployNote[]): Uint8Array {
  const said = [...notes.entries()].filter(([, note]) => !isEmptyNote(note));
  return encoder.encode(JSON.stringify([notes.length, ...said]));
}

/** @returns `undefined` for what this version did not write: it can be made anew */
export function decodeNotes(bytes: Uint8Array): readonly DeployNote[] | undefined {
  try {
    const [count, ...said] = JSON.parse(decoder.decode(bytes)) as [number, ...(readonly [number, DeployNote])[]];
    const notes = Array.from({ length: count }, () => emptyNote);
    for (const [index, note] of said) notes[index] = note;
    return notes;
  } catch {
    return undefined;
  }
}
