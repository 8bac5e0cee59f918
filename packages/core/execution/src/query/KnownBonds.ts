import { equalBytes } from "@vedette/crypto";
import type { Bond } from "@vedette/protocol";
import { type StateRead, type StateStore, StateView } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { bonds } from "./proofOfStake.js";

/**
 * The stakes in one state after another. What answered last answers again where a state has all that was read to find
 * it out: the contract's answer depends on nothing else, and most blocks change nothing of it.
 *
 * @spec 41 §7.3
 */
export class KnownBonds {
  readonly #store: StateStore;
  #bonds: readonly Bond[] | undefined;
  #reads: readonly StateRead[] = [];

  readonly #form: ExecutionDialect;

  /** @param form of the states */
  constructor(store: StateStore, form: ExecutionDialect) {
    this.#store = store;
    this.#form = form;
  }

  /** @throws {ExecutionError} `query`, {SpaceError} `unknownRoot`, as {@link bonds} */
  of(root: Uint8Array): readonly Bond[] {
    if (this.#bonds !== undefined && this.#store.hasRoot(root)) {
      const view = new StateView(this.#store, root);
      const other = this.#reads.findIndex((read) => !view.agrees(read));
      if (other < 0) return this.#bonds;
      return this.#find(root, this.#reads[other]);
    }
    return this.#find(root, undefined);
  }

  /** @param changed the read with another result this time, which will differ again: it is compared first */
  #find(root: Uint8Array, changed: StateRead | undefined): readonly Bond[] {
    const reads: StateRead[] = [];
    this.#bonds = undefined;
    const found = bonds(this.#store, root, { reads, form: this.#form });
    const isChanged = ({ kind, hash }: StateRead) =>
      changed !== undefined && kind === changed.kind && equalBytes(hash, changed.hash);
    this.#reads = [...reads.filter(isChanged), ...reads.filter((read) => !isChanged(read))];
    this.#bonds = found;
    return found;
  }
}
