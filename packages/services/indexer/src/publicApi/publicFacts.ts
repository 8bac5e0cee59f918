import type { BlockFinality } from "@vedette/chain";
import type { FullBlock } from "@vedette/client";
import type { DeployFacts, IndexBlockFacts } from "../facts/IndexBlockFacts.js";
import type { KnownBlock } from "./KnownBlocks.js";

/** The facts in a block's JSON; what it lacks is left out, or empty. @spec 60 §8.1 */
export function factsOfPublicBlock({ blockInfo, deploys }: FullBlock, fate: BlockFinality): IndexBlockFacts {
  return {
    hash: blockInfo.blockHash,
    number: blockInfo.blockNumber,
    parents: blockInfo.parentsHashList,
    timestamp: blockInfo.timestamp,
    sender: blockInfo.sender,
    seqNum: blockInfo.seqNum,
    preStateHash: blockInfo.preStateHash,
    postStateHash: blockInfo.postStateHash,
    sig: blockInfo.sig,
    sigAlgorithm: blockInfo.sigAlgorithm,
    shardId: blockInfo.shardId,
    extraBytes: blockInfo.extraBytes,
    version: blockInfo.version,
    bonds: blockInfo.bonds,
    justifications: blockInfo.justifications,
    rejectedDeploys: blockInfo.rejectedDeploys.map(({ sig: id }) => ({ id })),
    deploys: deploys.map((deploy) => deployFacts(deploy, blockInfo.shardId)),
    slashings: [],
    transfers: undefined,
    balances: undefined,
    fate,
    rejections: [],
    faultTolerance: fate === "finalized" ? toleranceOf(blockInfo) : undefined,
  };
}

/** As far as it is needed for later decisions. */
export function knownBlockOf({ blockInfo }: FullBlock, fate: BlockFinality): KnownBlock {
  return { hash: blockInfo.blockHash, number: blockInfo.blockNumber, parents: blockInfo.parentsHashList, fate };
}

/** A block's fault tolerance; where its validators have nothing at stake the node reports no number. */
export function toleranceOf({ faultTolerance }: Pick<FullBlock["blockInfo"], "faultTolerance">): number | undefined {
  return Number.isFinite(faultTolerance) ? faultTolerance : undefined;
}

/** A node takes only deploys of its shard, so that the shard of the block is that of the deploy. */
function deployFacts(deploy: FullBlock["deploys"][number], shardId: string): DeployFacts {
  return {
    id: deploy.sig,
    deployer: deploy.deployer,
    term: deploy.term,
    timestamp: deploy.timestamp,
    algorithm: deploy.sigAlgorithm,
    phloPrice: deploy.phloPrice,
    phloLimit: deploy.phloLimit,
    validAfterBlockNumber: deploy.validAfterBlockNumber,
    shardId,
    cost: deploy.cost,
    errored: deploy.errored,
    hasEffect: !deploy.errored && deploy.systemDeployError === "",
    error: deploy.systemDeployError === "" ? undefined : deploy.systemDeployError,
    names: undefined,
    registered: [],
  };
}
