import type { Store } from "@vedette/store";
import { BondSets } from "./BondSets.js";
import { decodeMetadata, isOfEarlierVersion, writeMetadata } from "./metadataRecord.js";

/** Records that are looked at, and written anew where need be, in one transaction. */
const recordsOfStep = 256;

/** Writes what is known of blocks as this version does, where an earlier one wrote it. @spec 40 §6.1 */
export class MetadataRewriting {
  readonly #store: Store;
  readonly #bondSets: BondSets;
  #after: Uint8Array | undefined;

  /** @param store of the chain; no other process or thread writes it while this runs */
  constructor(store: Store) {
    this.#store = store;
    this.#bondSets = new BondSets(store.table("bondSets"));
  }

  /** @returns how many records were looked at, none when all are done, and how many were written */
  step(): { readonly looked: number; readonly written: number } {
    const from = this.#after === undefined ? undefined : Uint8Array.of(...this.#after, 0);
    const records = [...this.#store.table("blockMetadata").range({ from, limit: recordsOfStep })];
    this.#after = records.at(-1)?.[0];
    const earlier = records.filter(([, bytes]) => isOfEarlierVersion(bytes));
    if (earlier.length > 0)
      this.#store.write((tables) => {
        for (const [hash, bytes] of earlier) writeMetadata(tables, decodeMetadata(hash, bytes, this.#bondSets));
      });
    return { looked: records.length, written: earlier.length };
  }
}
