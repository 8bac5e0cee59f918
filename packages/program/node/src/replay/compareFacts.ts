import type { DerivedFloor } from "@vedette/chain";
import { emptyBytes, toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import type { RecordedFacts } from "./RecordedChain.js";

/**
 * Returns the differences between a block and rnode's facts about it. Validation checks that execution leads to the
 * block's statements; here the statements themselves are compared.
 *
 * @param floor the floor derived from the block's past, if the dialect has floors
 */
export function compareFacts(block: Block, facts: RecordedFacts, floor?: DerivedFloor): string[] {
  const differences: string[] = [];
  const compare = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) differences.push(`${what} is ${String(ours)}, recorded is ${String(theirs)}`);
  };
  const hex = (bytes: Uint8Array | undefined) => (bytes === undefined ? "none" : toHex(bytes));
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
  const { mergeBase, appliedFromScope = [], rejectedDeploys } = block.body;
  if (facts.mergeBase !== undefined) compare("merge base", toHex(mergeBase ?? emptyBytes), facts.mergeBase);
  if (facts.appliedFromScope !== undefined)
    compare("what is applied of the merge scope", appliedFromScope.map(toHex).join(), facts.appliedFromScope.join());
  if (facts.rejectedDeploys !== undefined) {
    const ours = rejectedDeploys.map(({ signature, duplicate, carrier }) =>
      rejection({ id: toHex(signature), duplicate, carrier: carrier && toHex(carrier) }),
    );
    const theirs = facts.rejectedDeploys.map((one) => rejection(typeof one === "string" ? { id: one } : one));
    compare("what is rejected", ours.join(), theirs.join());
  }
  if (facts.floor !== undefined) compare("floor", hex(floor?.floor), facts.floor);
  if (facts.frontier !== undefined) compare("frontier", hex(floor?.frontier), facts.frontier ?? "none");
  return differences;
}

interface Rejection {
  readonly id: string;
  readonly duplicate?: boolean | undefined;
  readonly carrier?: string | undefined;
}

function rejection({ id, duplicate = false, carrier = "no block" }: Rejection): string {
  return `${id}${duplicate ? " again" : ""} carried by ${carrier}`;
}
