import { equalBytes } from "@vedette/crypto";
import { ExecutionError, exploreDeploy, noDeployer } from "@vedette/execution";
import { hashKey } from "@vedette/protocol";
import type { Budget } from "@vedette/rholang";
import type { Store } from "@vedette/store";
import {
  emptyRoot,
  type Leaf,
  type RadixNode,
  type StatePiece,
  StateStore,
  type StateStoreOptions,
} from "@vedette/tuplespace";
import type { StateForms } from "../dialect/StateForms.js";
import { isThere } from "./stateEntries.js";

/** A program, and the state that it reads. Plain values, so that they can cross threads. */
export interface PiecesReadCall {
  readonly root: Uint8Array;
  readonly source: string;
  readonly timeoutMs: number;
}

/** `pieces`: in the order in which the program read them, the root's node first. */
export type PiecesReadAnswer =
  | { readonly kind: "pieces"; readonly pieces: readonly StatePiece[] }
  | { readonly kind: "noState" };

/** The maximum size of the pieces in one answer; a client gets missing ones by their hashes. */
const maxBytes = 4 << 20;

/**
 * The nodes and leaves that a program reads: with them, and the root, a client runs the program itself.
 *
 * However the program ends, what it has read until then is the answer; its end is the client's to find out.
 *
 * @throws {LeafError}, {HistoryError} when the state on disk is damaged
 * @spec 70 §7.4
 */
export function piecesRead(
  { root, source }: PiecesReadCall,
  { store, options, forms, budget }: PiecesReadPlace,
): PiecesReadAnswer {
  const state = new WatchedState(store, options);
  if (!isThere(state, root)) return { kind: "noState" };
  try {
    exploreDeploy(state, { ...noDeployer, root, source, form: forms.execution, budget });
  } catch (error) {
    if (!(error instanceof ExecutionError)) throw error;
  }
  return { kind: "pieces", pieces: state.pieces() };
}

/** Where a program is run to see what it reads. */
export interface PiecesReadPlace {
  readonly store: Store;
  readonly options: StateStoreOptions;
  readonly forms: StateForms;
  readonly budget: Budget;
}

/** Notes which nodes and leaves are read. */
class WatchedState extends StateStore {
  readonly #read = new Map<string, Uint8Array>();

  override findNode(hash: Uint8Array): RadixNode | undefined {
    if (!equalBytes(hash, emptyRoot)) this.#note(hash);
    return super.findNode(hash);
  }

  override leaf(hash: Uint8Array): Leaf {
    this.#note(hash);
    return super.leaf(hash);
  }

  /** The first of them, at least one. */
  pieces(): readonly StatePiece[] {
    const pieces: StatePiece[] = [];
    let length = 0;
    for (const hash of this.#read.values()) {
      const bytes = this.nodeBytes(hash) ?? this.leafBytes(hash);
      if (bytes === undefined) continue;
      length += bytes.length;
      if (pieces.length > 0 && length > maxBytes) break;
      pieces.push({ hash, bytes });
    }
    return pieces;
  }

  #note(hash: Uint8Array): void {
    const key = hashKey(hash);
    if (!this.#read.has(key)) this.#read.set(key, hash.slice());
  }
}
