import { equalBytes } from "@vedette/crypto";
import {
  type ApprovedBlockCandidate,
  type Block,
  type Bond,
  checkDeploySignatures,
  type Deploy,
  type Dialect,
  hashBlock,
  WireError,
} from "@vedette/protocol";
import { readEvidence } from "../evidence/evidenceBytes.js";
import type { BlockExecution } from "../validation/BlockExecution.js";
import { sameBonds } from "./genesisBlock.js";

/** The genesis that a genesis validator's own configuration leads to. @spec 41 §5.4 */
export interface ExpectedGenesis {
  readonly requiredSignatures: number;
  readonly bonds: readonly Bond[];
  readonly deploys: readonly Deploy[];
  readonly shardName: string;
  readonly judgesByEvidence: boolean;
  /** Root of the state on which genesis runs. @spec 41 §1.3 */
  readonly emptyStateHash: Uint8Array;
}

const shownContracts = 5;
const shownCharacters = 100;

/**
 * Checks a candidate for the genesis block, as a validator does before it approves.
 *
 * @returns why it is refused; `undefined` for the expected one
 * @spec 40 §10.3, 41 §5.4
 */
export async function checkCandidate(
  { block, requiredSignatures }: ApprovedBlockCandidate,
  expected: ExpectedGenesis,
  use: { readonly execution: Pick<BlockExecution, "replay" | "bonds">; readonly dialect: Dialect },
): Promise<string | undefined> {
  if (requiredSignatures !== expected.requiredSignatures) return "Candidate didn't have required signatures number.";
  if (block.body.systemDeploys.length > 0) return "Candidate must not contain system deploys.";
  if (!sameBonds(block.body.state.bonds, expected.bonds)) return "Block bonds don't match expected.";
  if (block.body.deploys.length !== expected.deploys.length) {
    return "Mismatch between number of candidate deploys and expected number of deploys.";
  }
  return checkTerms(block, expected) ?? checkForm(block, expected, use.dialect) ?? checkState(block, expected, use);
}

/** Quirk 41 §5.4: nothing but the term of a deploy is compared. */
function checkTerms(block: Block, expected: ExpectedGenesis): string | undefined {
  const bad = block.body.deploys
    .map(({ deploy }) => deploy.term)
    .filter((term, index) => term !== expected.deploys[index]?.term);
  if (bad.length === 0) return undefined;
  const shown = bad.slice(0, shownContracts).map((term) => term.slice(0, shownCharacters));
  return `Genesis candidate deploys do not match expected blessed contracts.\nBad contracts (5 first):\n${shown.join("\n")}`;
}

/** Our own addition: what every joining node would refuse needs no approval. @spec 41 §5.4 */
function checkForm(block: Block, expected: ExpectedGenesis, dialect: Dialect): string | undefined {
  if (block.parents.length > 0 || block.justifications.length > 0 || block.sender.length > 0) {
    return "Candidate is not a genesis block.";
  }
  if (block.shardId !== expected.shardName) {
    return `Candidate is in shard '${block.shardId.slice(0, 64)}' but expected is '${expected.shardName}'.`;
  }
  if ((readEvidence(block.extraBytes) !== undefined) !== expected.judgesByEvidence) {
    const [found, wanted] = expected.judgesByEvidence ? ["arrival", "evidence"] : ["evidence", "arrival"];
    return `Candidate founds a network that judges by ${found} but expected is one that judges by ${wanted}.`;
  }
  if (!equalBytes(hashBlock(block, dialect), block.hash)) return "Candidate's hash is not that of its content.";
  if (!equalBytes(block.body.state.preStateHash, expected.emptyStateHash)) {
    return "Candidate does not begin at the empty state.";
  }
  try {
    checkDeploySignatures(block, dialect);
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return `Candidate has a deploy with a bad signature: ${error.message}`;
    throw error;
  }
}

async function checkState(
  block: Block,
  { bonds, emptyStateHash }: ExpectedGenesis,
  { execution }: { readonly execution: Pick<BlockExecution, "replay" | "bonds"> },
): Promise<string | undefined> {
  const outcome = await execution.replay({ block, preStateHash: emptyStateHash, invalidBlocks: [] });
  if (outcome.kind !== "replayed") return `Failed status during replay: ${outcome.message}.`;
  const { postStateHash } = block.body.state;
  if (!equalBytes(outcome.postStateHash, postStateHash)) return "Tuplespace hash mismatch.";
  if (!sameBonds(await execution.bonds(postStateHash), bonds)) return "Tuplespace bonds don't match expected ones.";
  return undefined;
}
