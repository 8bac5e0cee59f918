import type { BlockMetadata, DagView } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { MainTip } from "../block/MainTip.js";
import { type OldestState, StateQueryError } from "./StateQueryError.js";

/** A state that a request names, and its block where the request names one. */
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
const prefixForm = /^[0-9a-fA-F]{6,63}$/;
/** Most blocks with the same first digits in one error. */
const shownCandidates = 5;

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
   * @param name  `latest`, `finalized`, the hash of a block or 6 digits of it and more, or a state root
   * @param field the client's name for it
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

  /** Whether a state can be read. */
  async isHere(root: Uint8Array): Promise<boolean> {
    const [isHere] = await this.#areHere([root]);
    return isHere === true;
  }

  /** The refusal of a state that is not here. */
  async notHere(root: Uint8Array, field: string): Promise<StateQueryError> {
    if (!(await this.#isOldestHere())) this.#oldest = await this.#findOldest();
    return new StateQueryError({ code: "noState", field, root: toHex(root), oldest: this.#oldest });
  }

  /** States that are no longer kept go while the node runs. */
  async #isOldestHere(): Promise<boolean> {
    if (this.#oldest === undefined) return false;
    const [isHere] = await this.#areHere([this.#dag.require(fromHex(this.#oldest.blockHash)).postStateHash]);
    return isHere === true;
  }

  #block(name: string, field: string): BlockMetadata | undefined {
    if (name === "latest" || name === "finalized") {
      const block = name === "latest" ? this.#tip.find() : this.#dag.lastFinalized();
      if (block === undefined) throw new StateQueryError({ code: "notRunning" });
      return block;
    }
    if (prefixForm.test(name)) return this.#blockOfPrefix(name.toLowerCase(), field);
    if (!hashForm.test(name)) {
      const problem =
        "must be latest, finalized, at least 6 hexadecimal digits of a block's hash, or all 64 of a state root";
      throw new StateQueryError({ code: "badRequest", field, problem });
    }
    return this.#dag.find(fromHex(name));
  }

  #blockOfPrefix(prefix: string, field: string): BlockMetadata {
    const [found, ...others] = this.#dag.blocksByPrefix(prefix, shownCandidates);
    if (found === undefined) throw new StateQueryError({ code: "unknownBlock", field, hash: prefix });
    if (others.length === 0) return found;
    const hashes = [found, ...others].map(({ hash }) => toHex(hash));
    const problem = `begins several blocks' hashes: ${hashes.join(", ")}`;
    throw new StateQueryError({ code: "badRequest", field, problem });
  }

  /** States are executed upwards, so that from some height on all are here. */
  async #findOldest(): Promise<OldestState | undefined> {
    let absent = -1n;
    let here = this.#dag.nextBlockNumber();
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
