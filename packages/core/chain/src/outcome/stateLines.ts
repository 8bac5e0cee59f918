import { blake2b256, toHex } from "@vedette/crypto";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { findMergeNote, type NoteSources } from "./mergeNotes.js";

/** A deploy in a final block that is not in the state, since a merge gave it up. */
export interface RejectedDeploy {
  /** The block that has the deploy. */
  readonly blockHash: Uint8Array;
  /** Hash of the deploy's signature. */
  readonly idHash: Uint8Array;
  /** The block whose merge gave it up. */
  readonly rejectedBy: Uint8Array;
}

/** What of the final blocks is in the state no more, and what is in it again. */
export interface RejectionChanges {
  readonly rejected: readonly RejectedDeploy[];
  readonly restored: readonly RejectedDeploy[];
}

/** Blocks that are gone through at most; between two final blocks lie a few. */
const maxSteps = 10_000;
/** Merges of which nothing is noted, and which are worked out, which takes longer. */
const maxMerges = 500;

/**
 * What the state of one block lacks that the state of another has, of the deploys below them, and the reverse.
 *
 * A state comes from one block to the next; where parents are merged, from the base of the merge, so that what
 * another merge gave up between the base and the parents is decided anew. A merge gives deploys up for all that goes
 * on from it, and no further merge looks at what lies below its own base.
 *
 * @param before as far as it is known; `undefined`: all of the state's line is looked at
 * @spec 40 §12
 */
export function rejectionsBetween(
  before: BlockMetadata | undefined,
  after: BlockMetadata,
  sources: NoteSources,
): RejectionChanges {
  const [gone, come] = [new Map<string, RejectedDeploy>(), new Map<string, RejectedDeploy>()];
  const line = new StateLine(sources);
  let older = before;
  let newer: BlockMetadata | undefined = after;
  while (older?.key !== newer?.key) {
    const isNewerNext: boolean = older === undefined || (newer !== undefined && newer.number >= older.number);
    if (isNewerNext) newer = line.step(newer!, gone);
    else older = line.step(older!, come);
  }
  return { rejected: withoutThose(gone, come), restored: withoutThose(come, gone) };
}

function withoutThose(all: ReadonlyMap<string, RejectedDeploy>, those: ReadonlyMap<string, unknown>): RejectedDeploy[] {
  return [...all].flatMap(([key, rejection]) => (those.has(key) ? [] : [rejection]));
}

/** The blocks that a state came through. */
class StateLine {
  readonly #sources: NoteSources;
  #steps = 0;
  #merges = 0;

  constructor(sources: NoteSources) {
    this.#sources = sources;
  }

  /** Collects what a block's merge gave up. @returns the block whose state it built upon */
  step(block: BlockMetadata, rejections: Map<string, RejectedDeploy>): BlockMetadata | undefined {
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
