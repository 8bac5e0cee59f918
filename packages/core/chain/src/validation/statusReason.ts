import { toHex } from "@vedette/crypto";
import { type Block, hashList, shortHash } from "@vedette/protocol";
import type { BlockStatus } from "./BlockStatus.js";

/**
 * Why a block is not valid, as rnode's log puts it after `Ignoring block <hash> because `.
 *
 * @returns `undefined` where rnode has no such line
 * @spec 40 §5.2, §5.3, §5.4
 */
export function statusReason(block: Block, status: BlockStatus): string | undefined {
  switch (status.status) {
    case "InvalidBlockHash":
      return `block hash ${shortHash(block.hash)} does not match to computed value ${shortHash(status.computed)}.`;
    case "InvalidTimestamp":
      return `block timestamp ${status.timestamp} is not between latest parent block time and current time.`;
    case "InvalidShardId":
      return status.found === undefined
        ? `not for all deploys shard identifier is ${status.expected}.`
        : `got shard identifier ${status.found} while ${status.expected} was expected.`;
    case "InvalidRepeatDeploy": {
      const { term, deployer, timestamp } = status.deploy;
      const deploy = `${term} (user ${shortHash(deployer)}, millisecond timestamp ${timestamp})`;
      const [earlier, current] = [shortHash(status.earlierBlock), shortHash(block.hash)];
      return `found deploy [${deploy}] with the same sig in the block ${earlier} as current block ${current}`;
    }
    case "InvalidBlockNumber":
      return status.highestParent === undefined
        ? `block number ${status.number} is not zero, but block has no parents.`
        : `block number ${status.number} is not one more than maximum parent number ${status.highestParent}.`;
    case "ContainsFutureDeploy":
    case "ContainsExpiredDeploy": {
      const which = status.status === "ContainsFutureDeploy" ? "future" : "expired";
      const { validAfterBlockNumber, term } = status.deploy;
      return `block contains an ${which} deploy with valid after block number of ${validAfterBlockNumber}: ${term}`;
    }
    case "ContainsTimeExpiredDeploy":
      return `block contains a deploy whose time was over at ${status.deploy.expirationTimestamp ?? 0n}: ${status.deploy.term}`;
    case "PrematureDeployRetry":
      return `deploy ${shortHash(status.deploy.signature)} was rejected by a merge that is not final yet.`;
    case "UnauthorizedSlashDeploy":
      return `it slashes for ${shortHash(status.invalidBlock)} without right (${status.problem}).`;
    case "InvalidFollows":
      return `the justified validators, ${hashList(status.justified)}, do not match the bonded validators, ${hashList(status.bonded)}.`;
    case "InvalidParents":
      return parentsReason(block, status);
    case "InvalidSequenceNumber":
      return `seq number ${status.sequenceNumber} is not one more than creator justification number ${status.previous}.`;
    case "JustificationRegression": {
      const { hash, validator, previous } = status;
      return `block ${shortHash(hash)} by ${shortHash(validator)} has a lower sequence number than ${shortHash(previous)}.`;
    }
    case "InvalidCommitment":
      return "its extra bytes do not bind its justifications, as they must on this network.";
    case "InvalidEvidence":
      return `the offences that it states are not those in its past, which are of ${hashList(status.expected)}.`;
    default:
      return undefined;
  }
}

function parentsReason(block: Block, status: Extract<BlockStatus, { status: "InvalidParents" }>): string {
  if (status.problem === "tooMany") {
    return `block has ${status.count} parents, but maxNumberOfParents is ${status.limit}`;
  }
  if (status.problem === "invalid") return `its parent ${shortHash(status.parent)} is invalid.`;
  if (status.problem === "tooDeep") return `its parent ${shortHash(status.parent)} is too far below another one.`;
  if (status.problem === "none") return "it has no parents.";
  const parents = status.parents.map(shortHash).join(",");
  return (
    `validator ${toHex(block.sender).slice(0, 10)}... has not made progress. Empty block parents [${parents}] are all ` +
    `ancestors of previous block ${shortHash(status.previous)}. Validator must receive new blocks before proposing empty blocks.`
  );
}
