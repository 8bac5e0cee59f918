import type { FullBlock, ProcessedDeployInfo } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import type { Block, ProcessedDeploy } from "@vedette/protocol";

type Members = Readonly<Record<string, unknown>>;
type DeployMembers = Pick<
  ProcessedDeployInfo,
  | "deployer"
  | "term"
  | "timestamp"
  | "sig"
  | "phloPrice"
  | "phloLimit"
  | "validAfterBlockNumber"
  | "cost"
  | "errored"
  | "systemDeployError"
>;

/** Returns a node's statements about a block that its hash covers, by the names of the API. */
export function reportedBlock({ blockInfo: info, deploys }: FullBlock): Members {
  return members(
    {
      ...info,
      parentsHashList: info.parentsHashList.join(" "),
      bonds: info.bonds.map(({ validator, stake }) => `${validator}: ${stake}`).join(" "),
      rejectedDeploys: info.rejectedDeploys.map(({ sig }) => sig).join(" "),
    },
    deploys,
  );
}

/** The same of a block that was read from its bytes. */
export function blockMembers(block: Block): Members {
  const { header, body } = block;
  return members(
    {
      blockHash: toHex(block.hash),
      blockNumber: body.state.blockNumber,
      parentsHashList: header.parents.map(toHex).join(" "),
      timestamp: header.timestamp,
      version: header.version,
      preStateHash: toHex(body.state.preStateHash),
      postStateHash: toHex(body.state.postStateHash),
      bonds: body.state.bonds.map(({ validator, stake }) => `${toHex(validator)}: ${stake}`).join(" "),
      sender: toHex(block.sender),
      seqNum: block.sequenceNumber,
      shardId: block.shardId,
      sig: toHex(block.signature),
      sigAlgorithm: block.signatureAlgorithm,
      deployCount: body.deploys.length,
      rejectedDeploys: body.rejectedDeploys.map(({ signature }) => toHex(signature)).join(" "),
    },
    body.deploys.map(deployMembers),
  );
}

/** A deploy and its outcome, as a block has them. */
export function deployMembers({ deploy, cost, failed, systemDeployError }: ProcessedDeploy): DeployMembers {
  const { deployer, term, timestamp, signature, phloPrice, phloLimit, validAfterBlockNumber } = deploy;
  const signed = { deployer: toHex(deployer), term, timestamp, sig: toHex(signature) };
  return { ...signed, phloPrice, phloLimit, validAfterBlockNumber, cost, errored: failed, systemDeployError };
}

const blockFields = [
  ...["blockHash", "blockNumber", "parentsHashList", "timestamp", "version", "preStateHash", "postStateHash"],
  ...["bonds", "sender", "seqNum", "shardId", "sig", "sigAlgorithm", "deployCount", "rejectedDeploys"],
] as const;
const deployFields = [
  ...(["deployer", "term", "timestamp", "sig", "phloPrice", "phloLimit", "validAfterBlockNumber"] as const),
  ...(["cost", "errored", "systemDeployError"] as const),
];

function members(block: Members, deploys: readonly DeployMembers[]): Members {
  return Object.fromEntries([
    ...blockFields.map((field) => [field, block[field]]),
    ["deploys.length", deploys.length],
    ...deploys.flatMap((deploy, index) => deployFields.map((field) => [`deploys[${index}].${field}`, deploy[field]])),
  ]);
}
