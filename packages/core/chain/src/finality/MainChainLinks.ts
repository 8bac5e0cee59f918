import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { BondSet } from "../dag/BondSet.js";
import type { DagView } from "../dag/DagView.js";
import { weightsOf } from "./faultTolerance.js";

/** A block of main chains. */
export interface MainChainLink {
  readonly block: BlockMetadata;
  /** The bonds that supply the stakes. @spec 40 §8.1 */
  readonly weights: BondSet;
  /** Verdict that a caller stored; `undefined` before that. */
  isFinal: boolean | undefined;
}

interface Link extends MainChainLink {
  /** Looked up at the first use. */
  below: Link | undefined;
}

/** Main chains that many walks go down: each block is looked up once. The DAG must not change meanwhile. */
export class MainChainLinks {
  readonly #dag: Pick<DagView, "find" | "require">;
  readonly #links = new Map<string, Link>();

  constructor(dag: Pick<DagView, "find" | "require">) {
    this.#dag = dag;
  }

  /**
   * A block and its main chain, down to the first block that is not higher than a number.
   *
   * @throws {ChainError} `blockMissing`
   */
  *from(block: BlockMetadata, number: bigint): Generator<MainChainLink> {
    let at = this.#linkOf(block);
    yield at;
    while (at.block.number > number && at.block.mainParent !== undefined) {
      at.below ??= this.#linkOf(this.#dag.require(at.block.mainParent));
      yield (at = at.below);
    }
  }

  #linkOf(block: BlockMetadata): Link {
    let link = this.#links.get(block.key);
    if (link === undefined)
      this.#links.set(
        block.key,
        (link = { block, weights: weightsOf(this.#dag, block), below: undefined, isFinal: undefined }),
      );
    return link;
  }
}
