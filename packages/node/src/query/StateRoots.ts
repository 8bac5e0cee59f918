import type { BlockMetadata, DagView } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { MainTip } from "./MainTip.js";
import { type OldestState, StateQueryError } from "./StateQueryError.js";

/** A state that somebody named, and its block where one was named. */
export interface NamedState {
  readonly root: Uint8Array;
  readonly block: BlockMetadata | undefined;
  readonly which: "post" | "pre";
  /** Whether the same words will always name this state. */
  readonly isSettled: boolean;
}

/** Which of these states are here. */
export type StatesHere = (roots: readonly Uint8Array[]) => Promise<readonly boolean[]>;

const hashForm = /^[0-9a-fA-F]{64}$/;

/** Finds states by what clients call them. @spec 30 §10.4 */
export class StateRoots {
  readonly #dag: DagView;
  readonly #areHere: StatesHere;
  readonly #tip: MainTip;
  #oldest: OldestState | undefined;

  constructor(dag: DagView, areHere: StatesHere) {
    this.#dag = dag;
    this.#areHere = areHere;
    this.#tip = new MainTip(dag);
  }

  /**
   * @param name  `latest`, `finalized`, the hash of a block, or a state root
   * @param field what the client called it
   * @throws {StateQueryError}
   */
  state(name: string, which: "post" | "pre", field: string): NamedState {
    const block = this.#block(name, field);
    if (block === undefined && which === "pre")
      throw new StateQueryError({ code: "unknownBlock", field, hash: name.toLowerCase() });
    if (block === undefined) return { root: fromHex(name), block, which, isSettled: true };
    const root = which === "post" ? block.postStateHash : block.preStateHash;
    return { root, block, which, isSettled: hashForm.test(name) };
  }

  /** As {@link state}, but only blocks. @throws {StateQueryError} */
  stateOfBlock(name: string, which: "post" | "pre", field: string): NamedState & { readonly block: BlockMetadata } {
    const { block, ...state } = this.state(name, which, field);
    if (block === undefined) throw new StateQueryError({ code: "unknownBlock", field, hash: name.toLowerCase() });
    return { ...state, block };
  }

  /** The refusal of a state that is not here. */
  async notHere(root: Uint8Array, field: string): Promise<StateQueryError> {
    this.#oldest ??= await this.#findOldest();
    return new StateQueryError({ code: "noState", field, root: toHex(root), oldest: this.#oldest });
  }

  #block(name: string, field: string): BlockMetadata | undefined {
    if (name === "latest" || name === "finalized") {
      const block = name === "latest" ? this.#tip.find() : this.#dag.lastFinalized();
      if (block === undefined) throw new StateQueryError({ code: "notRunning" });
      return block;
    }
    if (!hashForm.test(name)) {
      const problem = "must be latest, finalized, or 64 hexadecimal digits of a block's hash or a state root";
      throw new StateQueryError({ code: "badRequest", field, problem });
    }
    return this.#dag.find(fromHex(name));
  }

  /** States are executed upwards, so that from some height on all are here. */
  async #findOldest(): Promise<OldestState | undefined> {
    let absent = -1n;
    let here = this.#dag.latestBlockNumber();
    let oldest: OldestState | undefined;
    while (absent + 1n < here) {
      const height = (absent + here) / 2n;
      const found = await this.#firstHereAt(height);
      if (found === undefined) absent = height;
      else [here, oldest] = [height, found];
    }
    return oldest;
  }

  async #firstHereAt(height: bigint): Promise<OldestState | undefined> {
    const blocks = [...this.#dag.blocksByHeight(height, height, 64)].map(({ hash }) => this.#dag.require(hash));
    const areHere = await this.#areHere(blocks.map(({ postStateHash }) => postStateHash));
    const block = blocks.find((_, index) => areHere[index] === true);
    return block === undefined ? undefined : { blockNumber: block.number, blockHash: toHex(block.hash) };
  }
}
