import { compareBytes, equalBytes } from "@vedette/crypto";
import { type Block, hashKey, type SlashDeploy } from "@vedette/protocol";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import { BondSet } from "../../dag/BondSet.js";
import type { DagView } from "../../dag/DagView.js";
import { lowestSide } from "../../equivocation/lowestSide.js";
import type { InvalidBlockFacts } from "../../validation/BlockExecution.js";
import type { InvalidStatus, SlashProblem } from "../../validation/BlockStatus.js";
import type { ChosenSlash, SlashChoice, SlashRules } from "../SlashRules.js";

/**
 * f1r3node's rules: an invalid block costs its creator's stake in the epoch of its height, once.
 *
 * Ours: if a validator made two blocks at once, a block may slash for any of its blocks, and need not slash for any.
 * Which of its blocks are invalid depends on the order in which they came.
 *
 * @param epochLength blocks of an epoch, as the network is configured; above 0
 * @spec 61 §15, §15.5
 */
export function epochSlashing(epochLength: bigint): SlashRules {
  return {
    checkAuthorization: (block, parents, dag, isTimeless = false) =>
      checkAuthorization(block, { parents, dag, epochLength, isTimeless, seen: new Set() }),
    checkNeglected: (block, dag) => checkNeglected(block, dag, epochLength),
    invalidBlocksFor: namedInvalidBlocks,
    choose: (dag, choice) => chooseSlashes(dag, choice, epochLength),
  };
}

/** The slashes of a block that succeeded. */
export function slashesOf(block: Block): SlashDeploy[] {
  return block.body.systemDeploys.flatMap(({ systemDeploy, error }) =>
    systemDeploy.kind === "slash" && error === "" ? [systemDeploy] : [],
  );
}

/** @spec 61 §15.2 */
function checkAuthorization(block: Block, context: SlashContext): InvalidStatus | undefined {
  for (const slash of slashesOf(block)) {
    const problem = block.sequenceNumber < 0 ? "sequenceNumber" : slashProblem(slash, block, context);
    if (problem !== undefined)
      return { status: "UnauthorizedSlashDeploy", problem, invalidBlock: slash.invalidBlockHash };
  }
  return undefined;
}

interface SlashContext {
  readonly parents: readonly BlockMetadata[];
  readonly dag: DagView;
  readonly epochLength: bigint;
  readonly isTimeless: boolean;
  /** Validators that the block slashes already; the checked one is added. */
  readonly seen: Set<string>;
}

function slashProblem(
  { invalidBlockHash, issuerPublicKey, targetActivationEpoch = 0n }: SlashDeploy,
  block: Block,
  { parents, dag, epochLength, isTimeless, seen }: SlashContext,
): SlashProblem | undefined {
  if (issuerPublicKey.length === 0 || !equalBytes(issuerPublicKey, block.sender)) return "issuer";
  if (targetActivationEpoch !== block.number / epochLength) return "epoch";
  const invalid = dag.find(invalidBlockHash);
  if (invalid === undefined) return "unknownBlock";
  if (!isTimeless && !invalid.invalid && lowestSide(invalid, dag) === undefined) return "validBlock";
  if (invalid.number < 0n || invalid.number / epochLength !== targetActivationEpoch) return "evidenceEpoch";
  if (!parents.some(({ bonds }) => (bonds.stakes.get(invalid.senderKey) ?? 0n) > 0n)) return "notBonded";
  // All slashes of a block are for one epoch.
  if (seen.has(invalid.senderKey)) return "repeated";
  seen.add(invalid.senderKey);
  return undefined;
}

/** @spec 61 §14.2 (neglected invalid block) */
function checkNeglected(block: Block, dag: DagView, epochLength: bigint): InvalidStatus | undefined {
  const epoch = block.number / epochLength;
  const { stakes } = new BondSet(block.body.state.bonds);
  const mustPay = (invalid: BlockMetadata, stake: bigint) =>
    invalid.invalid && stake > 0n && invalid.number >= 0n && invalid.number / epochLength === epoch;
  const slashed = new Set<string>();
  for (const { invalidBlockHash, issuerPublicKey, targetActivationEpoch = 0n } of slashesOf(block)) {
    const invalid = dag.find(invalidBlockHash);
    if (invalid === undefined || !equalBytes(issuerPublicKey, block.sender)) continue;
    if (targetActivationEpoch === epoch && mustPay(invalid, stakes.get(invalid.senderKey) ?? 0n))
      slashed.add(invalid.senderKey);
  }
  for (const { validator, latestBlockHash } of block.justifications) {
    const named = dag.find(latestBlockHash);
    if (named === undefined) continue;
    const stake = stakes.get(named.senderKey) ?? stakes.get(hashKey(validator)) ?? 0n;
    if (mustPay(named, stake) && !slashed.has(named.senderKey) && lowestSide(named, dag) === undefined)
      return { status: "NeglectedInvalidBlock", invalidBlock: latestBlockHash };
  }
  return undefined;
}

/** Only those that the block's own slashes name. @spec 61 §10 */
function namedInvalidBlocks(block: Block, dag: DagView): readonly InvalidBlockFacts[] {
  const named = new Map<string, InvalidBlockFacts>();
  for (const { invalidBlockHash } of slashesOf(block)) {
    const { hash, key, sender } = dag.require(invalidBlockHash);
    named.set(key, { hash, sender });
  }
  return [...named.values()];
}

/**
 * The slashes of a new block: of each offender the smallest invalid block of this epoch; then those that the merge of
 * the parents rejected. Only what the others agree to is slashed for.
 *
 * @spec 61 §15.3
 */
function chooseSlashes(dag: DagView, choice: SlashChoice, epochLength: bigint): ChosenSlash[] {
  const { number, sender, stakes, rejected, isAgreed = () => true } = choice;
  const hasStake = (key: string) => (stakes.get(key) ?? 0n) > 0n;
  if (!hasStake(hashKey(sender))) return [];
  const epoch = number / epochLength;
  const isDue = (hash: Uint8Array) => {
    const block = dag.find(hash);
    return block?.invalid === true && block.number >= 0n && block.number / epochLength === epoch && isAgreed(hash);
  };
  const isOfEpoch = (block: BlockMetadata) => block.number / epochLength === epoch;
  const own = offencesOf(dag, choice, { hasStake, isDue, isOfEpoch });
  const first = [...own.values()].sort((left, right) => compareBytes(left.sender, right.sender));
  const slashed = new Set(own.keys());
  const again = [...rejected].sort(compareBytes).filter((hash) => {
    const offender = isDue(hash) ? dag.require(hash).senderKey : undefined;
    // A second slash of one offender would make the block invalid (61 §15.2).
    if (offender === undefined || slashed.has(offender)) return false;
    slashed.add(offender);
    return hasStake(offender);
  });
  return [...first.map(({ hash }) => hash), ...again].map((invalidBlock) => ({
    invalidBlock,
    targetActivationEpoch: epoch,
  }));
}

/** The block that each bonded offender is slashed for, by the offender's key. */
function offencesOf(
  dag: DagView,
  { suspects = [] }: SlashChoice,
  is: {
    readonly hasStake: (key: string) => boolean;
    readonly isDue: (hash: Uint8Array) => boolean;
    readonly isOfEpoch: (block: BlockMetadata) => boolean;
  },
): Map<string, InvalidBlockFacts> {
  const found = new Map<string, InvalidBlockFacts>();
  for (const invalid of dag.invalidBlocks()) {
    const key = hashKey(invalid.sender);
    const known = found.get(key);
    if (!is.hasStake(key) || !is.isDue(invalid.hash)) continue;
    if (known === undefined || compareBytes(invalid.hash, known.hash) < 0) found.set(key, invalid);
  }
  for (const suspect of suspects) {
    const key = hashKey(suspect);
    const side = found.has(key) || !is.hasStake(key) ? undefined : sideOf(key, dag);
    if (side !== undefined && is.isOfEpoch(side)) found.set(key, side);
  }
  return found;
}

/** Returns, of two blocks that a validator made at once, the one below its latest message. */
function sideOf(validatorKey: string, dag: DagView): BlockMetadata | undefined {
  const hash = dag.latestMessage(validatorKey);
  const latest = hash === undefined ? undefined : dag.find(hash);
  return latest === undefined ? undefined : lowestSide(latest, dag);
}
