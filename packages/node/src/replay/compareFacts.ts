import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import type { RecordedFacts } from "./RecordedChain.js";

/**
 * Where a block differs from what the reference said of it. That execution leads to what the block states is
 * checked by its validation; here the statements themselves are compared.
 */
export function compareFacts(block: Block, facts: RecordedFacts): string[] {
  const differences: string[] = [];
  const compare = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) differences.push(`${what} is ${String(ours)}, recorded is ${String(theirs)}`);
  };
  compare("number", block.number, BigInt(facts.number));
  compare("sequence number", block.sequenceNumber, facts.seqNum);
  compare("post-state", toHex(block.body.state.postStateHash), facts.postState);
  compare("number of deploys", block.body.deploys.length, facts.deploys.length);
  for (const [index, deploy] of facts.deploys.entries()) {
    const processed = block.body.deploys[index];
    if (processed === undefined) break;
    compare(`deploy ${index} id`, toHex(processed.deploy.signature), deploy.id);
    compare(`deploy ${index} cost`, processed.cost, BigInt(deploy.cost));
    compare(`deploy ${index} failed`, processed.failed, deploy.failed);
    compare(`deploy ${index} system error`, processed.systemDeployError, deploy.systemError ?? "");
  }
  const bonds = block.body.state.bonds.map(({ validator, stake }) => `${toHex(validator)}:${stake}`).sort();
  compare(
    "bonds",
    bonds.join(),
    facts.bonds
      .map(({ validator, stake }) => `${validator}:${stake}`)
      .sort()
      .join(),
  );
  return differences;
}
