import type { Block } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import { isAncestorOrSelf } from "./dag/ancestors.js";
import type { BlockMetadata } from "./dag/BlockMetadata.js";
import type { DagView } from "./dag/DagView.js";
import type { Insertion } from "./dag/insertBlock.js";
import { type BlockStatus, blockStatuses } from "./validation/BlockStatus.js";

/** A block that another node has judged, with its parents and justifications in the DAG. */
export interface ValidatedBlock {
  readonly block: Block;
  readonly verdict: "valid" | "invalid";
  /** Why it is invalid, where that is known: the name of a status. */
  readonly reason?: string | undefined;
  /** Written in the same transaction. */
  readonly also: (tables: WritableTables) => void;
}

/** How it enters the DAG: as it did where it was judged. @spec 40 §6.2 */
export function judgedInsertion({ verdict, reason }: ValidatedBlock): Insertion {
  if (verdict === "valid") return { invalid: false, approved: false };
  return { invalid: true, approved: false, reason, hasUncheckedBonds: !(factsOf(reason)?.isAfterBonds ?? false) };
}

/** The status that is reported for the block. */
export function judgedStatus({ verdict, reason }: ValidatedBlock): BlockStatus {
  if (verdict === "valid") return { status: "Valid" };
  return { status: "BlockException", message: `the node that judged it found it invalid (${reason ?? "unknown"})` };
}

function factsOf(reason: string | undefined) {
  if (reason === undefined || !Object.hasOwn(blockStatuses, reason)) return undefined;
  return blockStatuses[reason as BlockStatus["status"]];
}

/**
 * Whether a block can have become the last finalized one after another.
 *
 * @returns why not, or `undefined`
 */
export function whyNotFinal(dag: DagView, found: BlockMetadata): string | undefined {
  if (found.invalid) return "it is invalid";
  const before = dag.lastFinalized();
  if (before === undefined || isAncestorOrSelf(dag, before, found)) return undefined;
  return `it does not build on block #${before.number}, which is final`;
}
