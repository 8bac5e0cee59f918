import { type DeployStatus, fromHex, toHex } from "@vedette/client";
import { type DeployEffect, LightError, readIncludedDeploy } from "@vedette/light";
import type { Block } from "@vedette/protocol";
import { deployMembers } from "./blockMembers.js";
import { type Lie, liesBetween } from "./Finding.js";
import { LieError } from "./LieError.js";

/** Statuses that a deploy in a final block cannot have, by what became of its effect. */
const impossible: Readonly<Record<DeployEffect, readonly DeployStatus["status"][]>> = {
  inState: ["failed", "expired", "rejected", "forkedAway", "refused"],
  failed: ["finalized", "expired", "forkedAway", "refused"],
  rejected: [],
  notShown: [],
};
const effectTexts: Readonly<Record<DeployEffect, string>> = {
  inState: "the state of the verified block has its effect",
  failed: "it failed in a final block",
  rejected: "a merge on the way to the verified block rejected it",
  notShown: "blocks of several parents lie above, which do not show whether a merge rejected it",
};

/**
 * Compares what a node reports of a deploy with a block that has it.
 *
 * @param effect where the block is final
 * @throws {LieError} where the block lacks the deploy
 */
export function checkDeployIn(reported: DeployStatus, block: Block, evidence: string, effect?: DeployEffect) {
  const { deploy, blocks, status } = reported;
  const hash = toHex(block.hash);
  const { processed } = included(block, deploy.deployId, evidence);
  const { errored, cost, systemDeployError, ...signed } = deployMembers(processed);
  const lies: Lie[] = [...liesBetween({ ...deploy, sig: deploy.deployId }, signed, evidence)];
  const place = blocks.find((one) => one.block.blockHash === hash);
  if (place === undefined)
    lies.push({ field: "blocks", reported: blocks.map((one) => one.block.blockHash).join(" "), shown: hash, evidence });
  else {
    const outcome = { errored, cost, systemDeployError, blockNumber: block.number };
    const said = { ...place, blockNumber: place.block.blockNumber };
    lies.push(...liesBetween(said, outcome, evidence));
  }
  const checked = [
    `the block has the deploy with this signature, signer, program, limits, cost and outcome, by ${evidence}`,
  ];
  const left = ["what it did in words, transfers, names, output and errors: the node derives them by executing it"];
  // If a deploy is in several blocks the first one decides.
  if (effect === undefined || blocks[0]?.block.blockHash !== hash) return { lies, checked, left };
  if (impossible[effect].includes(status))
    lies.push({ field: "status", reported: status, shown: effectTexts[effect], evidence });
  if (effect === "inState" || effect === "failed") checked.push(effectTexts[effect]);
  else left.push(`its final effect: ${effectTexts[effect]}`);
  return { lies, checked, left };
}

function included(block: Block, deployId: string, evidence: string) {
  try {
    return readIncludedDeploy([block], fromHex(deployId));
  } catch (error) {
    if (!(error instanceof LightError)) throw error;
    throw new LieError({
      ...{ field: "blocks", reported: toHex(block.hash), shown: "a block without the deploy" },
      evidence,
    });
  }
}
