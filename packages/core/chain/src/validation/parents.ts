import { type Block, hashKey } from "@vedette/protocol";
import { unlimitedParents } from "../ChainRules.js";
import { areAncestorsOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { YieldToEventLoop } from "../dag/yieldToEventLoop.js";
import { readEvidence } from "../evidence/evidenceBytes.js";
import { hasNewerJustification, type NamedVotes } from "../evidence/hasNewerJustification.js";
import type { InvalidStatus } from "./BlockStatus.js";
import { creatorJustificationOf } from "./sequenceNumber.js";

/** The limits that check 10 applies. */
interface ParentsRules {
  readonly maximumParents: number;
  readonly yieldNow: YieldToEventLoop;
  /** Leaves out what depends on the order in which blocks came. @spec 40 §17.4 */
  readonly isTimeless?: boolean;
}

/**
 * Check 10: not too many parents, and a block without user deploys builds on something that its creator's latest
 * message did not know; by evidence it is enough that it names a vote that is new to it.
 *
 * Quirk 40 §5.4: which parents are chosen is not checked, and the latest message is the one that the DAG has now.
 *
 * @spec 40 §5.4, §16.3
 */
export async function checkParents(
  block: Block,
  parents: readonly BlockMetadata[],
  dag: DagView,
  { maximumParents, yieldNow, isTimeless = false }: ParentsRules,
): Promise<InvalidStatus | undefined> {
  if (maximumParents !== unlimitedParents && parents.length > maximumParents) {
    return { status: "InvalidParents", problem: "tooMany", count: parents.length, limit: maximumParents };
  }
  // By evidence a block is judged by its past, not by what came before it (40 §16.3).
  const latest = dag.judgesByEvidence ? creatorJustificationOf(block) : dag.latestMessage(hashKey(block.sender));
  if (isTimeless || latest === undefined || hasUserDeploy(block)) return undefined;
  const previous = dag.require(latest);
  if (previous.parents.length === 0) return undefined;
  if (dag.judgesByEvidence && hasNewerJustification(dag, votesOf(block, parents), previous)) return undefined;
  if (!(await areAncestorsOrSelf(dag, parents, previous, yieldNow))) return undefined;
  return { status: "InvalidParents", problem: "noProgress", parents: block.parents, previous: previous.hash };
}

function votesOf({ sender, justifications, extraBytes }: Block, parents: readonly BlockMetadata[]): NamedVotes {
  const offences = readEvidence(extraBytes)?.offences ?? [];
  return { senderKey: hashKey(sender), main: parents[0]!, justifications, offences };
}

/** Ids of system deploys, as merging makes them, have 33 bytes and end in 1, 2 or 3. */
function hasUserDeploy(block: Block): boolean {
  return block.body.deploys.some(({ deploy: { signature } }) => {
    const last = signature[32] ?? 0;
    return !(signature.length === 33 && last >= 1 && last <= 3);
  });
}
