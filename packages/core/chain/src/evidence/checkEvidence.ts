import { equalBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { BondSet } from "../dag/BondSet.js";
import type { DagView } from "../dag/DagView.js";
import type { InvalidBlockFacts } from "../validation/BlockExecution.js";
import type { InvalidStatus } from "../validation/BlockStatus.js";
import { collectEvidence } from "./collectEvidence.js";
import { commitmentTo, printEvidence, readEvidence } from "./evidenceBytes.js";
import type { SlashingEvidence } from "./SlashingEvidence.js";

const validatorLength = 65;
const hashLength = 32;

/** The justifications are those that the creator signed, one for each validator. @spec 40 §16.1 */
export function checkCommitment({ justifications, extraBytes }: Block): InvalidStatus | undefined {
  const validators = new Set(justifications.map(({ validator }) => hashKey(validator)));
  const isPlain =
    validators.size === justifications.length &&
    justifications.every(
      ({ validator, latestBlockHash }) => validator.length === validatorLength && latestBlockHash.length === hashLength,
    );
  const stated = readEvidence(extraBytes)?.commitment;
  if (isPlain && stated !== undefined && equalBytes(stated, commitmentTo(justifications))) return undefined;
  return { status: "InvalidCommitment" };
}

/**
 * Whether a block refers to what its creator signed, as far as the network binds that: a joiner takes blocks as they
 * are.
 *
 * @param first any block of the network
 * @spec 40 §16.1
 */
export function bindsReferences(first: Block, block: Block): boolean {
  return readEvidence(first.extraBytes) === undefined || checkCommitment(block) === undefined;
}

/** The block builds on valid blocks, forgets nothing that it could know, and names the offences in its past. @spec 40 §16.3 */
export function checkPast(block: Block, parents: readonly BlockMetadata[], dag: DagView): InvalidStatus | undefined {
  const invalid = parents.find((parent) => parent.invalid);
  if (invalid !== undefined) return { status: "InvalidParents", problem: "invalid", parent: invalid.hash };
  const { justifications, sender, extraBytes } = block;
  const past = collectEvidence(dag, { senderKey: hashKey(sender), parents, justifications });
  if (past.regression !== undefined) return { status: "JustificationRegression", ...past.regression };
  if (equalBytes(extraBytes, printEvidence(justifications, past.offences))) return undefined;
  return { status: "InvalidEvidence", expected: past.offences.map(({ validator }) => validator) };
}

/**
 * Checks that a validator with stake before the block and an offence in its past has no stake after the block.
 *
 * @param offences those in the block's past
 * @spec 40 §16.4
 */
export function checkNeglectedOffence(
  block: Block,
  main: BlockMetadata,
  offences: readonly SlashingEvidence[],
): InvalidStatus | undefined {
  const { stakes } = new BondSet(block.body.state.bonds);
  for (const { validator, validatorKey, first, second } of punishable(main, offences)) {
    if ((stakes.get(validatorKey) ?? 0n) <= 0n) continue;
    return second === undefined
      ? { status: "NeglectedInvalidBlock", invalidBlock: first }
      : { status: "NeglectedEquivocation", validator };
  }
  return undefined;
}

/** Offences of validators with stake before a block. @spec 40 §16.4 */
function punishable(main: BlockMetadata, offences: readonly SlashingEvidence[]): readonly SlashingEvidence[] {
  return offences.filter(({ validatorKey }) => (main.bonds.stakes.get(validatorKey) ?? 0n) > 0n);
}

/** Returns the offences that a block's slashes may name. @spec 40 §16.4 */
export function slashableFacts(
  main: BlockMetadata,
  offences: readonly SlashingEvidence[],
): readonly InvalidBlockFacts[] {
  return punishable(main, offences).map(({ first, validator }) => ({ hash: first, sender: validator }));
}
