import { type Block, hashKey } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import type { BlockTable } from "../block/BlockTable.js";
import { ChainError } from "../ChainError.js";
import type { Dag } from "../dag/Dag.js";
import type { EquivocationTable } from "../equivocation/EquivocationTable.js";
import type { ReadyBlock } from "../ReadyBlock.js";
import type { BlockChecks } from "./BlockChecks.js";
import { type BlockStatus, hasCheckedBonds, isForgeable } from "./BlockStatus.js";
import { creatorJustificationOf } from "./sequenceNumber.js";
import type { Validation } from "./validateBlock.js";

/** How many invalid blocks are recorded. */
export interface InvalidBounds {
  /** For each bonded validator; honest networks have none. */
  readonly ofValidator: number;
  /** For all other senders together: keys are free, and any key can sign blocks. */
  readonly ofOthers: number;
}

export const usualInvalidBounds: InvalidBounds = { ofValidator: 1000, ofOthers: 1000 };

/** The tables that the effects write to. */
export interface EffectTables {
  readonly store: { write(work: (tables: WritableTables) => void): void };
  readonly dag: Dag;
  readonly equivocations: EquivocationTable;
  readonly blocks: BlockTable;
  readonly checks: Pick<BlockChecks, "isSlashable" | "isEquivocation" | "recordsSides">;
  readonly invalidBounds: InvalidBounds;
}

/**
 * Stores what becomes of a block after its validation, in one transaction.
 *
 * @returns the status, and whether the block is in the DAG now
 * @spec 40 §5.9
 */
export function applyEffects(
  { block, isAwaited, isNeeded = isAwaited, recorded }: ReadyBlock,
  validation: Validation,
  { store, dag, equivocations, blocks, checks, invalidBounds }: EffectTables,
): { readonly status: BlockStatus; readonly inserted: boolean } {
  const { detected } = validation;
  const isSide = isFurtherSide(block, validation, { dag, checks });
  const isNeedless = isSide && !isAwaited && dag.hasSlashingEvidence(hashKey(block.sender));
  const status = isNeedless ? needless(block, dag) : validation.status;
  const invalid = status.status !== "Valid";
  const base = block.sequenceNumber - 1;
  const isEquivocation = checks.isEquivocation(status, block) || (isSide && !isNeedless);
  const also = (tables: WritableTables): void => {
    equivocations.putDetected(tables, detected, block.hash);
    if (isEquivocation) equivocations.putRecord(tables, block.sender, base);
  };
  if (
    invalid &&
    !(checks.isSlashable(status) && isRecorded(block, status, { dag, isAwaited, isNeeded, invalidBounds }))
  ) {
    if (detected.length > 0) store.write(also);
    return { status, inserted: false };
  }
  try {
    const hasUncheckedBonds = !hasCheckedBonds(status);
    const reason = invalid ? status.status : undefined;
    const insertion = { invalid, approved: false, hasUncheckedBonds, reason };
    dag.insert(block, insertion, (tables) => {
      if (!blocks.isStored(block)) blocks.putIn(tables, block);
      also(tables);
      recorded?.(tables);
    });
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { status: { status: "BlockException", message: error.message }, inserted: false };
  }
  if (isEquivocation) equivocations.refresh(block.sender, base);
  return { status, inserted: true };
}

/** A valid block beside another one of its creator. A known equivocator can make any number of them. @spec 40 §16.5 */
function isFurtherSide(
  block: Block,
  { status }: Validation,
  { dag, checks }: Pick<EffectTables, "dag" | "checks">,
): boolean {
  if (status.status !== "Valid" || !(dag.judgesByEvidence || checks.recordsSides === true)) return false;
  const before = creatorJustificationOf(block);
  return before !== undefined && dag.ownBlocksAfter(block.sender, before).length > 0;
}

function needless(block: Block, dag: Dag): BlockStatus {
  const latestMessage = dag.latestMessage(hashKey(block.sender));
  return { status: "IgnorableEquivocation", creatorJustification: creatorJustificationOf(block), latestMessage };
}

function isRecorded(
  block: Block,
  status: BlockStatus,
  {
    dag,
    isAwaited,
    isNeeded,
    invalidBounds,
  }: Pick<EffectTables, "dag" | "invalidBounds"> & Required<Pick<ReadyBlock, "isAwaited" | "isNeeded">>,
): boolean {
  // A creator without stake loses nothing by an invalid block: the block matters only where others refer to it. A
  // recorded block would be reported to all subscribers of this node.
  if (!isNeeded && isOfUnbonded(block, dag)) return false;
  // By evidence the hash covers the justifications too: only what has another hash is not its creator's (40 §16.1).
  if (dag.judgesByEvidence ? status.status === "InvalidBlockHash" : isForgeable(status) && !isAwaited) return false;
  return hasRoom(block, dag, invalidBounds);
}

/** Returns false before anything is final, since the bonds are unknown then. */
function isOfUnbonded(block: Block, dag: Dag): boolean {
  return dag.lastFinalized() !== undefined && !dag.isBonded(hashKey(block.sender));
}

function hasRoom(block: Block, dag: Dag, { ofValidator, ofOthers }: InvalidBounds): boolean {
  const recorded = dag.invalidBlocks();
  if (recorded.length < Math.min(ofValidator, ofOthers)) return true;
  const bonded = dag.lastFinalized()?.bonds.stakes;
  const sender = hashKey(block.sender);
  if (bonded?.has(sender) === true) {
    return recorded.filter((one) => hashKey(one.sender) === sender).length < ofValidator;
  }
  const others = recorded.filter((one) => bonded?.has(hashKey(one.sender)) !== true);
  return others.length < ofOthers;
}
