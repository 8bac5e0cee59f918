import { type Block, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { EquivocationRecord } from "../equivocation/EquivocationTable.js";
import type { BlockChecks } from "../validation/BlockChecks.js";
import type { BlockStatus } from "../validation/BlockStatus.js";
import type { ValidationContext } from "../validation/validateBlock.js";

/** The options of a model of f1r3node. */
export interface F1r3nodeJudgementOptions {
  /** Blocks in an epoch. */
  readonly epochLength: bigint;
  /** Whether the node judges the block at the same time as another one of its creator, and so finds both valid. */
  readonly isRaced: (block: Block) => boolean;
}

/**
 * A model of how f1r3node judges what has to do with offenders, where this node is more lenient: it holds against
 * a block what came before it on the node itself. All else is judged as this node does.
 *
 * @spec 61 §14.2, §15.1, §15.2
 */
export function f1r3nodeJudgement(
  checks: BlockChecks,
  { epochLength, isRaced }: F1r3nodeJudgementOptions,
): BlockChecks {
  return {
    ...checks,
    // A node that finds both of two blocks valid records no equivocation.
    recordsSides: false,
    async validate(block, context) {
      const validation = await checks.validate(block, context);
      const { status } = validation.status;
      const isEquivocation = status === "IgnorableEquivocation" || status === "AdmissibleEquivocation";
      if (status !== "Valid" && !isEquivocation) return validation;
      const wrong = offenceOf(block, context, epochLength);
      if (wrong !== undefined) return { ...validation, status: wrong };
      return isEquivocation && isRaced(block) ? { ...validation, status: { status: "Valid" } } : validation;
    },
  };
}

type OffenceContext = Pick<ValidationContext, "dag" | "equivocations">;

function offenceOf(block: Block, { dag, equivocations }: OffenceContext, epochLength: bigint): BlockStatus | undefined {
  const slashed = slashedBlocks(block);
  const unknown = slashed.find((hash) => !dag.isInvalid(hash));
  if (unknown !== undefined) return { status: "UnauthorizedSlashDeploy", problem: "validBlock", invalidBlock: unknown };
  const punished = new Set(slashed.map((hash) => dag.require(hash).senderKey));
  const stakes = new Map(block.body.state.bonds.map(({ validator, stake }) => [hashKey(validator), stake]));
  const hasStake = (key: string) => (stakes.get(key) ?? 0n) > 0n;
  const justified = block.justifications.map(({ latestBlockHash }) => dag.require(latestBlockHash));
  const neglected = justified.find(
    ({ invalid, number, senderKey }) =>
      invalid && number / epochLength === block.number / epochLength && hasStake(senderKey) && !punished.has(senderKey),
  );
  if (neglected !== undefined) return { status: "NeglectedInvalidBlock", invalidBlock: neglected.hash };
  const seen = equivocations
    .records()
    .find((record) => hasStake(record.validatorKey) && showsBoth(record, justified, dag));
  return seen === undefined ? undefined : { status: "NeglectedEquivocation", validator: seen.validator };
}

function slashedBlocks({ body }: Block): readonly Uint8Array[] {
  return body.systemDeploys.flatMap(({ systemDeploy }) =>
    systemDeploy.kind === "slash" ? [systemDeploy.invalidBlockHash] : [],
  );
}

/** @spec 61 §15.1 */
function showsBoth(record: EquivocationRecord, justified: readonly BlockMetadata[], dag: DagView): boolean {
  return new Set(justified.flatMap((block) => childShownBy(record, block, dag)?.key ?? [])).size > 1;
}

/** The first block after the record's base that the offender's block, or the one that another's block names, goes back to. */
function childShownBy(
  { validatorKey, baseSequenceNumber }: EquivocationRecord,
  justified: BlockMetadata,
  dag: DagView,
): BlockMetadata | undefined {
  const named = justified.senderKey === validatorKey ? justified.hash : justified.justificationOf(validatorKey);
  let child: BlockMetadata | undefined;
  let at = named === undefined ? undefined : dag.find(named);
  while (at?.senderKey === validatorKey && at.sequenceNumber > baseSequenceNumber) {
    child = at;
    at = at.selfJustification === undefined ? undefined : dag.find(at.selfJustification);
  }
  return child;
}
