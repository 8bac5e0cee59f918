import { toBase64, toHex } from "@vedette/crypto";
import { type Block, type Dialect, dialectOfForm, type ProcessedDeploy } from "@vedette/protocol";
import { JsonFloat, JsonHex, type JsonValue } from "../json/printJson.js";

/** The facts about a block beside its own content. */
export interface BlockFacts {
  /** Size of the serialized block message in bytes. */
  readonly sizeBytes: number;
  /** From -1 to 1. @spec 50 §1.7 */
  readonly faultTolerance: number;
  /** Only on f1r3node networks. @spec 50 §10 */
  readonly isFinalized: boolean;
  /** The transfers of its deploys, if they are reported and known. @spec 50 §10.3 */
  readonly transfers?: DeployTransfers | undefined;
}

/** A movement between two vaults. @spec 50 §10.3 */
export interface TransferView {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Why nothing was moved; `undefined` where it was. */
  readonly failReason: string | undefined;
}

/** The transfers of a block's deploys, by their signatures in hex; without deploys that made none. */
export type DeployTransfers = ReadonlyMap<string, readonly TransferView[]>;

/** `LightBlockInfo` as it is printed. */
export interface LightBlockJson {
  readonly [key: string]: JsonValue;
}

/** `LightBlockInfo`: a block without its deploys. @spec 50 §1.7 */
export function lightBlockInfo(block: Block, facts: BlockFacts): LightBlockJson {
  const { header, body } = block;
  const { bytesOf, reportsFinality } = blockAnswersOf(block);
  return {
    blockHash: toHex(block.hash),
    sender: toHex(block.sender),
    seqNum: block.sequenceNumber,
    sig: toHex(block.signature),
    sigAlgorithm: block.signatureAlgorithm,
    shardId: block.shardId,
    extraBytes: bytesOf(block.extraBytes),
    version: header.version,
    timestamp: header.timestamp,
    headerExtraBytes: bytesOf(header.extraBytes),
    parentsHashList: header.parents.map(toHex),
    blockNumber: body.state.blockNumber,
    preStateHash: toHex(body.state.preStateHash),
    postStateHash: toHex(body.state.postStateHash),
    bodyExtraBytes: bytesOf(body.extraBytes),
    bonds: body.state.bonds.map(({ validator, stake }) => ({ validator: toHex(validator), stake })),
    blockSize: String(facts.sizeBytes),
    deployCount: body.deploys.length,
    faultTolerance: new JsonFloat(facts.faultTolerance),
    justifications: block.justifications.map(({ validator, latestBlockHash }) => ({
      validator: toHex(validator),
      latestBlockHash: toHex(latestBlockHash),
    })),
    rejectedDeploys: body.rejectedDeploys.map(({ signature }) => ({ sig: toHex(signature) })),
    ...(reportsFinality ? { isFinalized: facts.isFinalized } : {}),
  };
}

/** Returns the `LightBlockInfo` of a block with its present fault tolerance and finality. */
export function refreshedInfo(
  info: LightBlockJson,
  { faultTolerance, isFinalized }: Pick<BlockFacts, "faultTolerance" | "isFinalized">,
): LightBlockJson {
  const finality = "isFinalized" in info ? { isFinalized } : {};
  return { ...info, faultTolerance: new JsonFloat(faultTolerance), ...finality };
}

/** The parts of answers about a block that differ between dialects. @spec 50 §10.3 */
interface BlockAnswerRules {
  readonly bytesOf: (bytes: Uint8Array) => JsonValue;
  readonly reportsFinality: boolean;
  /** Whether explorations on the block report their cost. */
  readonly reportsCost: boolean;
}

const blockAnswers: Readonly<Record<Dialect["name"], BlockAnswerRules>> = {
  rnode: { bytesOf: hexOf, reportsFinality: false, reportsCost: false },
  f1r3node: { bytesOf: base64Of, reportsFinality: true, reportsCost: true },
};

/** By the form of the block. */
export function blockAnswersOf({ form }: Pick<Block, "form">): BlockAnswerRules {
  return blockAnswers[dialectOfForm(form).name];
}

/** From this many bytes a text is made only when it is printed. */
const maxConcurrent = 1 << 16;

function hexOf(bytes: Uint8Array): JsonValue {
  return bytes.length > maxConcurrent ? new JsonHex(bytes) : toHex(bytes);
}

/** @spec 50 §10.3 */
function base64Of(bytes: Uint8Array): JsonValue {
  return bytes.length > maxConcurrent ? new JsonHex(bytes, "base64") : toBase64(bytes);
}

/** `BlockInfo`: a block with its user deploys. @spec 50 §1.7 */
export function blockInfo(block: Block, facts: BlockFacts): { readonly [key: string]: JsonValue } {
  return {
    blockInfo: lightBlockInfo(block, facts),
    deploys: block.body.deploys.map((deploy) => deployInfo(deploy, facts.transfers)),
  };
}

/** `DeployInfo`: a deploy and what came of it. @spec 50 §1.7 */
export function deployInfo(
  processed: ProcessedDeploy,
  transfers?: DeployTransfers,
): { readonly [key: string]: JsonValue } {
  const { deploy } = processed;
  return {
    deployer: toHex(deploy.deployer),
    term: deploy.term,
    timestamp: deploy.timestamp,
    sig: toHex(deploy.signature),
    sigAlgorithm: deploy.algorithm,
    phloPrice: deploy.phloPrice,
    phloLimit: deploy.phloLimit,
    validAfterBlockNumber: deploy.validAfterBlockNumber,
    cost: processed.cost,
    errored: processed.failed,
    systemDeployError: processed.systemDeployError,
    ...(transfers === undefined ? {} : { transfers: transfersInfo(processed, transfers) }),
  };
}

/** Returns the transfers of a deploy. @spec 50 §10.3 */
export function transfersInfo({ deploy }: ProcessedDeploy, transfers: DeployTransfers) {
  return (transfers.get(toHex(deploy.signature)) ?? []).map(({ from, to, amount, failReason }) => ({
    ...{ fromAddr: from, toAddr: to, amount },
    ...{ success: failReason === undefined, failReason: failReason ?? "" },
  }));
}
