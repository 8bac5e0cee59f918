import { create } from "@bufbuild/protobuf";
import { toHex } from "@vedette/crypto";
import type { Block, ProcessedDeploy } from "@vedette/protocol";
import {
  type BlockInfo,
  BlockInfoSchema,
  type DeployInfo,
  DeployInfoSchema,
  type LightBlockInfo,
  LightBlockInfoSchema,
  type Status,
  StatusSchema,
} from "../generated/casper/answers_pb.js";
import { type BlockFacts, blockAnswersOf, type DeployTransfers, transfersInfo } from "../value/blockInfo.js";
import { f1r3nodeStatus, type NetworkFacts, type NodeStatusView } from "../value/nodeStatus.js";

/** A block without its deploys. @spec 50 §3.3 */
export function lightBlockMessage(block: Block, facts: BlockFacts): LightBlockInfo {
  const { header, body } = block;
  return create(LightBlockInfoSchema, {
    blockHash: toHex(block.hash),
    sender: toHex(block.sender),
    seqNum: BigInt(block.sequenceNumber),
    sig: toHex(block.signature),
    sigAlgorithm: block.signatureAlgorithm,
    shardId: block.shardId,
    extraBytes: block.extraBytes,
    version: header.version,
    timestamp: header.timestamp,
    headerExtraBytes: header.extraBytes,
    parentsHashList: header.parents.map(toHex),
    blockNumber: body.state.blockNumber,
    preStateHash: toHex(body.state.preStateHash),
    postStateHash: toHex(body.state.postStateHash),
    bodyExtraBytes: body.extraBytes,
    bonds: body.state.bonds.map(({ validator, stake }) => ({ validator: toHex(validator), stake })),
    blockSize: String(facts.sizeBytes),
    deployCount: body.deploys.length,
    faultTolerance: facts.faultTolerance,
    justifications: block.justifications.map(({ validator, latestBlockHash }) => ({
      validator: toHex(validator),
      latestBlockHash: toHex(latestBlockHash),
    })),
    rejectedDeploys: body.rejectedDeploys.map(({ signature }) => ({ sig: toHex(signature) })),
    // Only f1r3node blocks have it.
    isFinalized: blockAnswersOf(block).reportsFinality && facts.isFinalized,
  });
}

/** A block with its user deploys. @spec 50 §3.3 */
export function blockMessage(block: Block, facts: BlockFacts): BlockInfo {
  return create(BlockInfoSchema, {
    blockInfo: lightBlockMessage(block, facts),
    deploys: block.body.deploys.map((deploy) => deployMessage(deploy, facts.transfers)),
  });
}

/** A deploy and what came of it. @spec 50 §3.3 */
export function deployMessage(processed: ProcessedDeploy, transfers?: DeployTransfers): DeployInfo {
  const { deploy } = processed;
  return create(DeployInfoSchema, {
    deployer: toHex(deploy.deployer),
    term: deploy.term,
    timestamp: deploy.timestamp,
    sig: toHex(deploy.signature),
    sigAlgorithm: deploy.algorithm,
    phloPrice: deploy.phloPrice,
    phloLimit: deploy.phloLimit,
    validAfterBlockNumber: deploy.validAfterBlockNumber,
    cost: BigInt.asUintN(64, processed.cost),
    errored: processed.failed,
    systemDeployError: processed.systemDeployError,
    transfers: transfers === undefined ? [] : transfersInfo(processed, transfers),
    transfersAvailable: transfers !== undefined,
  });
}

/** Encodes a node's status. @spec 50 §3.3, §3.4 */
export function statusMessage(status: NodeStatusView, network: NetworkFacts): Status {
  return create(StatusSchema, {
    version: { api: "1", node: status.version },
    address: status.address,
    networkId: network.networkId,
    shardId: network.shardId,
    peers: status.peers,
    nodes: status.nodes,
    minPhloPrice: network.minPhloPrice,
    peerList: status.peerList.map(({ address, nodeId, host, protocolPort, discoveryPort, isConnected }) => ({
      address,
      nodeId,
      host,
      protocolPort,
      discoveryPort,
      isConnected,
    })),
    ...f1r3nodeStatus(status, network),
  });
}
