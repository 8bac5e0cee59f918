import {
  type BlockInfo,
  type DataWithBlockInfo,
  DeployFinalizationStateProto,
  type DeployNote,
  type LightBlockInfo,
  parMessage,
  parOfMessage,
  type Status,
} from "@vedette/api/grpc";
import { toHex } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";
import type { Par, TermCodec } from "@vedette/terms";
import { ClientError } from "../failure/ClientError.js";
import { namedRejection } from "../wait/namedRejection.js";
import {
  type BlockName,
  type FinalizationState,
  type FinalizedDeployStatus,
  resolveFinalizedDeployStatus,
} from "../wait/standing.js";
import { GrpcChannel, type NodeAddress } from "./GrpcChannel.js";

/** Terms, and the block with the state that has them. */
export interface DataInBlock {
  readonly data: readonly Par[];
  readonly block: LightBlockInfo | undefined;
}

/** A state to explore; without a hash that of the last finalized block. @spec 50 §1.9 */
export interface ExploredState {
  readonly blockHash?: string | undefined;
  readonly usePreState?: boolean | undefined;
}

/** The query for drawing a DAG. @spec 50 §3.4 */
export interface DagQuery {
  readonly depth: number;
  readonly showJustificationLines?: boolean;
  readonly startBlockNumber?: number;
}

const finalizationStates: Readonly<Record<DeployFinalizationStateProto, FinalizationState | undefined>> = {
  [DeployFinalizationStateProto.DEPLOY_STATE_UNSPECIFIED]: undefined,
  [DeployFinalizationStateProto.DEPLOY_STATE_FINALIZED]: "Finalized",
  [DeployFinalizationStateProto.DEPLOY_STATE_FAILED]: "Failed",
  [DeployFinalizationStateProto.DEPLOY_STATE_PENDING]: "Pending",
  [DeployFinalizationStateProto.DEPLOY_STATE_EXPIRED]: "Expired",
};

const deployAccepted = /^Success!\s*DeployId is:\s*([0-9a-fA-F]+)\s*$/;

/**
 * A node's gRPC services.
 *
 * Every method throws a {@link ClientError}: `refused` with the node's words when it refuses.
 *
 * @spec 50 §3.3, §3.4
 */
export class NodeClient {
  readonly #channel: GrpcChannel;
  readonly #parOf: (message: Parameters<typeof parOfMessage>[0]) => Par;

  /** @param terms how terms are read: as by rnode, unless given */
  constructor(address: NodeAddress, terms?: Pick<TermCodec, "decodePar">) {
    this.#channel = new GrpcChannel(address);
    this.#parOf = (message) => parOfMessage(message, terms);
  }

  /** `host:port`, for messages. */
  get address(): string {
    return this.#channel.address;
  }

  close(): void {
    this.#channel.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Hands in a signed deploy. @returns its id, in hexadecimal digits */
  async deploy(deploy: Deploy): Promise<string> {
    const { deployer, term, timestamp, signature: sig, algorithm: sigAlgorithm } = deploy;
    const { phloPrice, phloLimit, validAfterBlockNumber, shardId, expirationTimestamp = 0n } = deploy;
    const terms = { phloPrice, phloLimit, validAfterBlockNumber, shardId, expirationTimestamp };
    const request = { deployer, term, timestamp, sig, sigAlgorithm, ...terms };
    const text = await this.#channel.queryOnce("doDeploy", (options) =>
      this.#channel.deploys.doDeploy(request, options),
    );
    const id = deployAccepted.exec(text)?.[1];
    if (id === undefined) throw new ClientError({ code: "refused", call: "doDeploy", messages: [text] });
    return id.toLowerCase();
  }

  /** Requests a block; `isAsync` does not wait for it. @returns the node's words */
  propose({ isAsync = false, timeoutMs }: { isAsync?: boolean; timeoutMs?: number } = {}): Promise<string> {
    const run = this.#channel.proposals.propose;
    return this.#channel.queryOnce("propose", (options) => run({ isAsync }, options), timeoutMs);
  }

  /** Returns the result of the latest proposal. @returns the node's words */
  proposeResult(): Promise<string> {
    const run = this.#channel.proposals.proposeResult;
    return this.#channel.ask("proposeResult", (options) => run({}, options));
  }

  /** @param hash at least six digits of it */
  block(hash: string): Promise<BlockInfo> {
    return this.#channel.ask("getBlock", (options) => this.#channel.deploys.getBlock({ hash }, options));
  }

  /** The newest heights, newest first; none where the depth is beyond the node's limit. */
  blocks(depth: number): Promise<LightBlockInfo[]> {
    return this.#channel.queryAll("getBlocks", (options) => this.#channel.deploys.getBlocks({ depth }, options));
  }

  /** Blocks from one height to another, both inclusive, lowest first. */
  blocksByHeights(startBlockNumber: bigint, endBlockNumber: bigint): Promise<LightBlockInfo[]> {
    const query = { startBlockNumber, endBlockNumber };
    const run = this.#channel.deploys.getBlocksByHeights;
    return this.#channel.queryAll("getBlocksByHeights", (options) => run(query, options));
  }

  /** From a tip down its main parents. */
  mainChain(depth: number): Promise<LightBlockInfo[]> {
    return this.#channel.queryAll("showMainChain", (options) =>
      this.#channel.deploys.showMainChain({ depth }, options),
    );
  }

  /** @throws {ClientError} `refused` where the node has no block */
  async latestBlock(): Promise<LightBlockInfo> {
    const [block] = await this.blocks(1);
    // Application errors are swallowed in streams (50 §3.2): an empty one is a node that has not joined.
    if (block === undefined) {
      throw new ClientError({
        code: "refused",
        call: "getBlocks",
        messages: [`The node at ${this.address} has no blocks yet; wait until it has joined its network`],
      });
    }
    return block;
  }

  lastFinalizedBlock(): Promise<BlockInfo> {
    const run = this.#channel.deploys.lastFinalizedBlock;
    return this.#channel.ask("lastFinalizedBlock", (options) => run({}, options));
  }

  /** @param hash all of it; unknown blocks are not finalized */
  isFinalized(hash: string): Promise<boolean> {
    return this.#channel.ask("isFinalized", (options) => this.#channel.deploys.isFinalized({ hash }, options));
  }

  /** The block that holds a deploy. @throws {ClientError} `refused`, see {@link isUnknownDeploy} */
  findDeploy(deployId: Uint8Array): Promise<LightBlockInfo> {
    return this.#channel.ask("findDeploy", (options) => this.#channel.deploys.findDeploy({ deployId }, options));
  }

  /**
   * Why a deploy failed in a block, and what it wrote.
   *
   * @returns `undefined` where the node does not report it: rnode and f1r3node never do
   */
  async deployNote(deployId: Uint8Array, blockHash: string): Promise<DeployNote | undefined> {
    const run = this.#channel.notes.deployNote;
    try {
      const note = await this.#channel.ask("deployNote", (options) => run({ deployId, blockHash }, options));
      return note.isKnown ? note : undefined;
    } catch (error) {
      if (error instanceof ClientError && error.failure.code === "notOffered") return undefined;
      throw error;
    }
  }

  /** Returns the status of a deploy in a final block. @spec 40 §12.3, 50 §1.14 */
  async standing(deployId: Uint8Array, block: BlockName): Promise<FinalizedDeployStatus> {
    const finalizedNumber = async () => (await this.lastFinalizedBlock()).blockInfo?.blockNumber ?? 0n;
    const blocksOfHeights = (start: bigint, end: bigint) => this.blocksByHeights(start, end);
    const isFinalized = (hash: string) => this.isFinalized(hash);
    const reads = { finalizedNumber, blocksOfHeights, isFinalized };
    const id = toHex(deployId);
    return await resolveFinalizedDeployStatus(await this.#finalizationState(deployId), block, {
      rejecter: () => namedRejection(reads, id, block.blockNumber),
      hasFailed: async () => {
        const { deploys } = await this.block(block.blockHash);
        return deploys.some(({ sig, errored }) => errored && sig.toLowerCase() === id);
      },
    });
  }

  /** Nodes of f1r3node report it. */
  async #finalizationState(deployId: Uint8Array): Promise<FinalizationState | undefined> {
    let state = DeployFinalizationStateProto.DEPLOY_STATE_UNSPECIFIED;
    await this.#channel.ask("findDeploy", async (options) => {
      const answer = await this.#channel.deploys.findDeploy({ deployId }, options);
      state = answer.finalizationState;
      return answer;
    });
    return finalizationStates[state];
  }

  isBonded(publicKey: Uint8Array): Promise<boolean> {
    return this.#channel.ask("bondStatus", (options) => this.#channel.deploys.bondStatus({ publicKey }, options));
  }

  /** Runs a term on a state and forgets it; nodes with a validator key refuse. @spec 50 §1.9 */
  async explore(term: string, { blockHash = "", usePreState = false }: ExploredState = {}): Promise<DataInBlock> {
    const query = { term, blockHash, usePreStateHash: usePreState };
    const run = this.#channel.deploys.exploratoryDeploy;
    return this.#dataIn(await this.#channel.ask("exploratoryDeploy", (options) => run(query, options)));
  }

  /** Returns the data on a channel in a block's post-state. */
  async dataAtName(name: Par, blockHash: string): Promise<DataInBlock> {
    const query = { par: parMessage(name), blockHash };
    const run = this.#channel.deploys.getDataAtName;
    const { par, block } = await this.#channel.ask("getDataAtName", (options) => run(query, options));
    return { data: par.map(this.#parOf), block };
  }

  /** Returns the data on a channel in the newest blocks that touched it, newest first. */
  async listenForData(name: Par, depth: number): Promise<DataInBlock[]> {
    const query = { name: parMessage(name), depth };
    const run = this.#channel.deploys.listenForDataAtName;
    const { blockInfo } = await this.#channel.ask("listenForDataAtName", (options) => run(query, options));
    return blockInfo.map((each) => this.#dataIn(each));
  }

  /** The DAG in the language of Graphviz. */
  async visualizeDag({ depth, showJustificationLines = false, startBlockNumber = 0 }: DagQuery): Promise<string> {
    const query = { depth, showJustificationLines, startBlockNumber };
    const run = this.#channel.deploys.visualizeDag;
    return (await this.#channel.queryAll("visualizeDag", (options) => run(query, options))).join("");
  }

  /** The DAG as lines of a block and one of its parents. */
  machineVerifiableDag(): Promise<string> {
    const run = this.#channel.deploys.machineVerifiableDag;
    return this.#channel.ask("machineVerifiableDag", (options) => run({}, options));
  }

  status(): Promise<Status> {
    return this.#channel.ask("status", (options) => this.#channel.deploys.status({}, options));
  }

  #dataIn({ postBlockData, block }: DataWithBlockInfo): DataInBlock {
    return { data: postBlockData.map(this.#parOf), block };
  }
}
