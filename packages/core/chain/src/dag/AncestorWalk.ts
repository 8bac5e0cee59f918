import { ChainError } from "../ChainError.js";
import type { BlockMetadata } from "./BlockMetadata.js";
import type { DagView } from "./DagView.js";

const maxSteps = 100_000;

/**
 * The ancestors of one block, walked from the highest down and only as far as the caller reads.
 *
 * @spec 40 §12.1
 */
export class AncestorWalk {
  private readonly dag: DagView;
  private readonly seen = new Set<string>();
  private readonly waiting: BlockMetadata[] = [];
  private steps = 0;

  constructor(dag: DagView, from: BlockMetadata) {
    this.dag = dag;
    this.add(from);
  }

  /**
   * Whether a block is the one walked from or an ancestor of it.
   *
   * @throws {ChainError} `tooComplex`
   * @cost the ancestors above that block, once
   */
  includes(block: BlockMetadata): boolean {
    while (!this.seen.has(block.key)) {
      const highest = this.waiting.at(-1);
      if (highest === undefined || highest.number <= block.number) return false;
      this.waiting.pop();
      this.steps += 1;
      if (this.steps > maxSteps)
        throw new ChainError({ code: "tooComplex", what: "Looking for an ancestor", limit: maxSteps });
      for (const [index, key] of highest.parentKeys.entries()) {
        const parent = this.seen.has(key) ? undefined : this.dag.find(highest.parents[index]!, key);
        if (parent !== undefined) this.add(parent);
      }
    }
    return true;
  }

  /** Keeps the highest last. */
  private add(block: BlockMetadata): void {
    this.seen.add(block.key);
    insertByNumber(this.waiting, block);
  }
}

/** Puts a block into a list that is in ascending order of heights. */
export function insertByNumber(list: BlockMetadata[], block: BlockMetadata): void {
  let at = list.length;
  while (at > 0 && list[at - 1]!.number > block.number) at -= 1;
  list.splice(at, 0, block);
}
