import type { Store } from "@vedette/store";
import { decodeMergeable } from "@vedette/tuplespace";
import { type MergeableId, writeMergeable } from "../merge/mergeableStore.js";
import { decodeNotes } from "../note/noteRecord.js";
import { decodeTransfers } from "../report/transferRecord.js";
import { writeOutcome } from "./outcomeRecord.js";

/** Records that are looked at, and written anew where need be, in one transaction. */
const recordsOfStep = 256;
const rewritten = ["mergeable", "transfers"] as const;

/** Writes what executing blocks has shown as this version does, where an earlier one wrote it. @spec 30 §A.7 */
export class OutcomeRewriting {
  readonly #store: Store;
  #table = 0;
  #after: Uint8Array | undefined;

  /** @param store of the states; no other process or thread writes it while this runs */
  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * @returns whether there is more, and how many records were written anew
   * @throws {MergeError}, {ReportError} for damaged records
   */
  step(): { readonly isDone: boolean; readonly written: number } {
    const name = rewritten[this.#table];
    if (name === undefined) return { isDone: true, written: 0 };
    const from = this.#after === undefined ? undefined : Uint8Array.of(...this.#after, 0);
    const records = [...this.#store.table(name).range({ from, limit: recordsOfStep })];
    this.#after = records.at(-1)?.[0];
    if (records.length < recordsOfStep) {
      this.#table += 1;
      this.#after = undefined;
    }
    let written = 0;
    this.#store.together(() => {
      for (const [key, bytes] of records) if (this.#rewrite(name, key, bytes)) written += 1;
    });
    return { isDone: false, written };
  }

  #rewrite(name: (typeof rewritten)[number], key: Uint8Array, bytes: Uint8Array): boolean {
    const id = idOf(key);
    if (id === undefined) return false;
    const said = name === "transfers" ? this.#store.table("deployNotes").get(key) : undefined;
    const notes = said === undefined ? undefined : decodeNotes(said);
    // The notes are unknown: the record would state that there were none.
    if (name === "transfers" && notes === undefined) return false;
    this.#store.write((tables) => {
      if (notes === undefined) writeMergeable(tables, id, decodeMergeable(bytes));
      else writeOutcome(tables, id, { transfers: decodeTransfers(bytes), notes });
      tables(name).delete(key);
      if (name === "transfers") tables("deployNotes").delete(key);
    });
    return true;
  }
}

/** Reads a key of an earlier version: two parts with their lengths, and a number; `undefined` for another key. */
function idOf(key: Uint8Array): MergeableId | undefined {
  const view = new DataView(key.buffer, key.byteOffset, key.length);
  if (key.length < 2 || view.getUint16(0) !== 32 || key.length < 40) return undefined;
  const senderBytes = view.getUint16(34);
  if (key.length !== 40 + senderBytes) return undefined;
  return {
    postState: key.slice(2, 34),
    sender: key.slice(36, 36 + senderBytes),
    sequenceNumber: view.getInt32(36 + senderBytes),
  };
}
