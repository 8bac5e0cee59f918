import type { RejectedDeploy } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";

/**
 * The facts that a block's body states about the origin of its state, and about the outcome of deploys.
 * @spec 61 §13.4, §14.2
 */
export interface LineageFacts {
  /** The block on the post-state of which it was made, if it states one. */
  readonly mergeBase: Uint8Array | undefined;
  /**
   * `hashKey`s of the signatures with effects that this block brought into the state: deploys that did not fail, or
   * that its merge took over.
   */
  readonly introduced: ReadonlySet<string>;
  /** `hashKey`s of the signatures of all its deploys. */
  readonly included: ReadonlySet<string>;
  readonly rejections: readonly RejectedDeploy[];
}

/** Knows the bodies of blocks. */
export interface LineageSource {
  /** @param key the `hashKey` of the hash, where the caller has it. @throws {ChainError} `blockMissing` */
  factsOf(hash: Uint8Array, key?: string): LineageFacts;
}

/** More state parents than finality ever lags behind. */
const maxSteps = 100_000;

/**
 * States as they were made one of the other: each block has one state parent, whatever its other parents are.
 *
 * @spec 61 §13.4
 */
export class StateLineage {
  private readonly dag: Pick<DagView, "require">;
  private readonly source: LineageSource;

  constructor(dag: Pick<DagView, "require">, source: LineageSource) {
    this.dag = dag;
    this.source = source;
  }

  /**
   * Returns the block from which a block's pre-state was derived; `undefined` for genesis.
   *
   * @throws {ChainError} `stateParentMissing` for one of several parents that names no merge base; `blockMissing`
   */
  stateParent(block: BlockMetadata): BlockMetadata | undefined {
    if (block.parents.length === 0) return undefined;
    const base = this.source.factsOf(block.hash, block.key).mergeBase;
    if (base !== undefined) return this.dag.require(base);
    if (block.parents.length > 1) throw new ChainError({ code: "stateParentMissing", hash: block.hash });
    return this.dag.require(block.parents[0]!);
  }

  /** Returns a block and the line of blocks that its state was made from, walked as far as the caller reads. */
  lineOf(block: BlockMetadata): StateLine {
    return new StateLine(this, block);
  }

  /**
   * The block at which two lineages come together, one of the two perhaps.
   *
   * @throws {ChainError} `stateParentMissing`, `blockMissing`, `tooComplex`
   * @cost the state parents down to it
   */
  meeting(one: BlockMetadata, other: BlockMetadata): BlockMetadata | undefined {
    let [left, right]: [BlockMetadata | undefined, BlockMetadata | undefined] = [one, other];
    for (let steps = 0; left !== undefined && right !== undefined; steps += 1) {
      if (left.key === right.key) return left;
      if (steps >= maxSteps) throw tooLong();
      const [leftNumber, rightNumber]: [bigint, bigint] = [left.number, right.number];
      if (leftNumber >= rightNumber) left = this.stateParent(left);
      if (rightNumber >= leftNumber) right = this.stateParent(right);
    }
    return undefined;
  }

  /**
   * Returns the signatures with effects that came into the state of a block after that of one of its state ancestors.
   *
   * @param below the state ancestor, which does not count
   * @throws {ChainError} `blockMissing` also where it is none; `tooComplex`
   */
  introducedSince(block: BlockMetadata, below: BlockMetadata): ReadonlySet<string> {
    const all = new Set<string>();
    let at: BlockMetadata | undefined = block;
    for (let steps = 0; at?.key !== below.key; steps += 1) {
      if (at === undefined) throw new ChainError({ code: "blockMissing", hash: below.hash });
      if (steps >= maxSteps) throw tooLong();
      for (const signature of this.source.factsOf(at.hash, at.key).introduced) all.add(signature);
      at = this.stateParent(at);
    }
    return all;
  }

  /**
   * Whether the state of a block has all effects that the state of another one has.
   *
   * @throws {ChainError} as {@link meeting}
   */
  contains(block: BlockMetadata, other: BlockMetadata): boolean {
    // Genesis is below all, also where the way down to it is not here.
    if (other.parents.length === 0) return true;
    if (block.key === other.key) return true;
    const meeting = this.meeting(block, other);
    if (meeting === undefined) return false;
    const settled = this.introducedSince(other, meeting);
    if (settled.size === 0) return true;
    const carried = this.introducedSince(block, meeting);
    for (const signature of settled) if (!carried.has(signature)) return false;
    return true;
  }

  /**
   * Returns all signatures with effects that came into the state of a block, down to a height.
   *
   * @param lowest no block below this number is looked at
   * @throws {ChainError} `stateParentMissing`, `blockMissing`, `tooComplex`
   * @spec 61 §12.3 (step 5)
   */
  effectsDownTo(block: BlockMetadata, lowest: bigint): ReadonlySet<string> {
    const all = new Set<string>();
    this.walk(block, lowest, (introduced) => {
      for (const signature of introduced) all.add(signature);
      return false;
    });
    return all;
  }

  /** Whether {@link effectsDownTo} has a signature. @param signature `hashKey` of it */
  holdsEffect(block: BlockMetadata, signature: string, lowest: bigint): boolean {
    let isThere = false;
    this.walk(block, lowest, (introduced) => (isThere = introduced.has(signature)));
    return isThere;
  }

  /** @param look at what each block introduced; whether that is enough */
  private walk(block: BlockMetadata, lowest: bigint, look: (introduced: ReadonlySet<string>) => boolean): void {
    let at: BlockMetadata | undefined = block;
    for (let steps = 0; at !== undefined && at.number >= lowest; steps += 1) {
      if (steps >= maxSteps) throw tooLong();
      if (look(this.source.factsOf(at.hash, at.key).introduced)) return;
      at = this.stateParent(at);
    }
  }
}

/** The state parents of a block. @spec 61 §13.4 */
class StateLine {
  readonly #lineage: StateLineage;
  readonly #walked = new Set<string>();
  #lowest: BlockMetadata | undefined;

  constructor(lineage: StateLineage, block: BlockMetadata) {
    this.#lineage = lineage;
    this.#take(block);
  }

  /**
   * Whether another block is one of them, or the first block of the chain.
   *
   * @throws {ChainError} `stateParentMissing`, `blockMissing`, `tooComplex`
   */
  includes({ key, number, parents }: BlockMetadata): boolean {
    // Genesis is below all, also where the way down to it is not here.
    if (parents.length === 0) return true;
    while (!this.#walked.has(key)) {
      if (this.#lowest === undefined || this.#lowest.number < number) return false;
      if (this.#walked.size > maxSteps) throw tooLong();
      this.#take(this.#lineage.stateParent(this.#lowest));
    }
    return true;
  }

  #take(block: BlockMetadata | undefined): void {
    if (block !== undefined) this.#walked.add(block.key);
    this.#lowest = block;
  }
}

function tooLong(): ChainError {
  return new ChainError({ code: "tooComplex", what: "Following the states of blocks", limit: maxSteps });
}
