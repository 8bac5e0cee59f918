import type { WritableTables } from "@vedette/store";

/** Writes what belongs to a new state into other tables of its store, in the state's own transaction. */
export type WriteWithState = (tables: WritableTables, root: Uint8Array) => void;
