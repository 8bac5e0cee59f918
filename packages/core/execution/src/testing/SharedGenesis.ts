import { type Deploy, hashKey } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { f1r3nodeSpace, rnodeSpace, type SpaceDialect, StateStore } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { playGenesisState } from "../play/playGenesisState.js";
import { commitEmptyState } from "../runtime/emptyState.js";

/** Milliseconds. */
export const genesisTime = 1_700_000_000_000n;

/** States of first blocks of a dialect, in one store: what several of them begin with is played once in the process. */
export class SharedGenesis {
  readonly store: Store = new MemoryStore(tablesOf("state"));
  readonly states: StateStore;
  readonly #form: ExecutionDialect;
  /** The state behind a deploy, by that before it and the deploy's signature. */
  readonly #after = new Map<string, Uint8Array>();

  #empty: Uint8Array | undefined;

  constructor(form: ExecutionDialect, space: SpaceDialect) {
    this.states = new StateStore(this.store, { form: space });
    this.#form = form;
  }

  /**
   * Plays deploys one after another on the empty state.
   *
   * @returns the root of the state that they lead to
   * @throws Error when one of them fails
   */
  stateAfter(deploys: readonly Deploy[]): Uint8Array {
    this.#empty ??= commitEmptyState(this.states, this.#form);
    return deploys.reduce((root, deploy) => this.#next(root, deploy), this.#empty);
  }

  #next(preState: Uint8Array, deploy: Deploy): Uint8Array {
    const key = hashKey(preState) + hashKey(deploy.signature);
    const known = this.#after.get(key);
    if (known !== undefined) return known;
    const genesis = { preState, timestamp: genesisTime, blockNumber: 0n, deploys: [deploy] };
    const { postState, deploys } = playGenesisState(this.states, genesis, this.#form);
    if (deploys[0]!.failed) throw new Error(`A deploy of genesis failed: ${deploy.term.slice(0, 80)}`);
    this.#after.set(key, postState);
    return postState;
  }
}

/** That of rnode's networks. */
export const rnodeShared = new SharedGenesis(rnodeExecution, rnodeSpace);
/** That of f1r3node's networks. */
export const f1r3nodeShared = new SharedGenesis(f1r3nodeExecution, f1r3nodeSpace);
