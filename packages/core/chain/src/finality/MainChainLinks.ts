import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { weightsOf } from "./faultTolerance.js";
import { type MainChainLink, MainTrunk } from "./MainTrunk.js";

interface Link extends MainChainLink {
  /** Looked up at the first use. */
  below: Link | undefined;
}

/** Main chains that many walks go down: each block is looked up once. The DAG must not change meanwhile. */
export class MainChainLinks {
  readonly #dag: Pick<DagView, "find" | "require">;
  readonly #links = new Map<string, Link>();
  #trunk: MainTrunk | undefined;

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
      at.below ??= this.#linkOf(this.#dag.require(at.block.mainParent, at.block.parentKeys[0]));
      yield (at = at.below);
    }
  }

  /** Returns the main chain of the first block that this was called with. PERF: latest messages have most of it in common. */
  trunkFor(block: BlockMetadata): MainTrunk {
    this.#trunk ??= new MainTrunk(this.#allFrom(block));
    return this.#trunk;
  }

  *#allFrom(block: BlockMetadata): Generator<MainChainLink> {
    for (let at: BlockMetadata | undefined = block; at !== undefined; ) {
      yield this.#linkOf(at);
      at = at.mainParent === undefined ? undefined : this.#dag.find(at.mainParent, at.parentKeys[0]);
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
