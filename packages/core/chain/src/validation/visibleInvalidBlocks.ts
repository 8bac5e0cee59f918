import { type Block, hashKey } from "@vedette/protocol";
import { ChainError } from "../ChainError.js";
import type { DagView } from "../dag/DagView.js";
import { slashableFacts } from "../evidence/checkEvidence.js";
import { readEvidence } from "../evidence/evidenceBytes.js";
import type { InvalidBlockFacts } from "./BlockExecution.js";

/**
 * Returns the blocks that the slashes of a block could name: where blocks are judged by evidence, those that the block
 * itself states; otherwise those of the DAG's invalid blocks that the creator could know.
 *
 * @param maxSteps blocks that are walked at most
 * @throws {ChainError} `blockMissing`, `tooComplex`
 * @spec 40 §5.5, §16.4
 */
export function visibleInvalidBlocks(
  block: Block,
  dag: DagView,
  maxSteps = Number.POSITIVE_INFINITY,
): readonly InvalidBlockFacts[] {
  const [main] = block.parents;
  if (!dag.judgesByEvidence || main === undefined) return knownInvalidBlocks(block, dag, maxSteps);
  return slashableFacts(dag.require(main), readEvidence(block.extraBytes)?.offences ?? []);
}

/**
 * The invalid blocks of the DAG without those that the creator of a block, which may not be made yet, did not know of.
 *
 * Not known are latest messages of validators that the block does not justify, and a justified validator's blocks
 * after the justified one.
 *
 * @spec 40 §5.5
 */
export function knownInvalidBlocks(
  block: KnowingBlock,
  dag: DagView,
  maxSteps = Number.POSITIVE_INFINITY,
): readonly InvalidBlockFacts[] {
  const invalid = dag.invalidBlocks();
  if (invalid.length === 0) return invalid;
  const unseen = unseenBlocks(block, dag, maxSteps);
  return invalid.filter(({ hash }) => !unseen.has(hashKey(hash)));
}

/** The parts of a block that show which blocks its creator knew. */
type KnowingBlock = Pick<Block, "justifications"> & Partial<Pick<Block, "hash">>;

function unseenBlocks(block: KnowingBlock, dag: DagView, maxSteps: number): ReadonlySet<string> {
  const justified = new Map(
    block.justifications.map(({ validator, latestBlockHash }) => [hashKey(validator), latestBlockHash]),
  );
  const unseen = new Set<string>();
  for (const { validator, hash } of dag.latestMessages()) {
    const known = justified.get(hashKey(validator));
    if (known === undefined) unseen.add(hashKey(hash));
    else addLaterBlocks(dag, unseen, { latest: hash, known, maxSteps });
    if (unseen.size > maxSteps)
      throw new ChainError({
        code: "tooComplex",
        what: "Finding the invalid blocks that a creator knew",
        limit: maxSteps,
      });
  }
  for (const known of justified.values()) unseen.delete(hashKey(known));
  if (block.hash !== undefined) unseen.delete(hashKey(block.hash));
  return unseen;
}

/** From a validator's latest message down to the known one, along its own blocks. */
function addLaterBlocks(
  dag: DagView,
  unseen: Set<string>,
  { latest, known, maxSteps }: { readonly latest: Uint8Array; readonly known: Uint8Array; readonly maxSteps: number },
): void {
  const until = dag.find(known);
  let at = dag.find(latest);
  if (until === undefined || at === undefined || at.sequenceNumber <= until.sequenceNumber) return;
  for (let left = maxSteps; left >= 0 && at !== undefined && at.key !== until.key && !unseen.has(at.key); left -= 1) {
    unseen.add(at.key);
    const before: Uint8Array | undefined = at.selfJustification;
    at = before === undefined ? undefined : dag.find(before);
  }
}
