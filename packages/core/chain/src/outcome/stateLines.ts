import { blake2b256, toHex } from "@vedette/crypto";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { findMergeNote, type MergeNoteSources } from "./mergeNotes.js";

/** A deploy in a final block that is not in the state, since a merge gave it up. */
export interface RejectionInState {
  /** The block that has the deploy. */
  readonly blockHash: Uint8Array;
  /** Hash of the deploy's signature. */
  readonly idHash: Uint8Array;
  /** The block with the merge that gave it up. */
  readonly rejectedBy: Uint8Array;
}

/** The deploys of final blocks that left the state, and those that came back into it. */
export interface RejectionChanges {
  readonly rejected: readonly RejectionInState[];
  readonly restored: readonly RejectionInState[];
}

/** Blocks that are gone through at most; between two final blocks lie a few. */
const maxSteps = 10_000;
/** Merges of which nothing is noted, and which are worked out, which takes longer. */
const maxMerges = 500;

/**
 * Compares the states of two blocks: which deploys below them one lacks that the other has, and the reverse.
 *
 * A state comes from one block to the next; where parents are merged, from the base of the merge, so the rejections of
 * other merges between the base and the parents are decided anew. A rejection holds for all blocks that build on the
 * merge, and no further merge looks below its own base.
 *
 * @param before the earlier block, if known; `undefined` walks the whole line of the state
 * @spec 40 §12
 */
export function rejectionsBetween(
  before: BlockMetadata | undefined,
  after: BlockMetadata,
  sources: MergeNoteSources,
): RejectionChanges {
  const [gone, come] = [new Map<string, RejectionInState>(), new Map<string, RejectionInState>()];
  const line = new MergedStateLine(sources);
  let older = before;
  let newer: BlockMetadata | undefined = after;
  while (older?.key !== newer?.key) {
    const isNewerNext: boolean = older === undefined || (newer !== undefined && newer.number >= older.number);
    if (isNewerNext) newer = line.step(newer!, gone);
    else older = line.step(older!, come);
  }
  return { rejected: withoutThose(gone, come), restored: withoutThose(come, gone) };
}

function withoutThose(
  all: ReadonlyMap<string, RejectionInState>,
  those: ReadonlyMap<string, unknown>,
): RejectionInState[] {
  return [...all].flatMap(([key, rejection]) => (those.has(key) ? [] : [rejection]));
}

/** The blocks that a state came through. */
class MergedStateLine {
  readonly #sources: MergeNoteSources;
  #steps = 0;
  #merges = 0;

  constructor(sources: MergeNoteSources) {
    this.#sources = sources;
  }

  /** Collects the rejections of a block's merge. @returns the block with the state that it built upon */
  step(block: BlockMetadata, rejections: Map<string, RejectionInState>): BlockMetadata | undefined {
    const { dag } = this.#sources;
    this.#steps += 1;
    if (this.#steps > maxSteps) return undefined;
    const [first, ...others] = block.parents;
    if (first === undefined) return undefined;
    if (others.length === 0) return dag.find(first);
    this.#merges += 1;
    const note = this.#merges > maxMerges ? undefined : findMergeNote(block, this.#sources);
    if (note === undefined) return dag.find(first);
    for (const { blockHash, deployId } of note.rejections) {
      const idHash = blake2b256(deployId);
      rejections.set(toHex(blockHash) + toHex(idHash), { blockHash, idHash, rejectedBy: block.hash });
    }
    return dag.find(note.base);
  }
}
