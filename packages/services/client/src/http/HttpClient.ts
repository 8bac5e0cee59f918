import {
  apiStatusRoute,
  balancesRoute,
  blockStatusesRoute,
  dataAtNameRoute,
  deployRoute,
  deployStatusesRoute,
  deployStatusRoute,
  deploysRoute,
  dialectNeutralRoutes,
  explorationRoute,
  isFinalizedRoute,
  metricsRoute,
  peersRoute,
  prepareDeployRoute,
  type RouteContract,
  readyRoute,
  type Static,
  sequenceNumberRoute,
  stateRoutes,
  type TSchema,
  traceRoute,
  transactionsRoute,
  transfersRoute,
  versionRoute,
} from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";
import { deployJson } from "../deploy/deployJson.js";
import { EventStream } from "../events/EventStream.js";
import type { EventStreamOptions } from "../events/EventStreamOptions.js";
import { ClientError } from "../failure/ClientError.js";
import type { RhoUnforgeable } from "../value/RhoValue.js";
import { rhoValuesOfJson, unforgeableJsonOf } from "../value/rhoJson.js";
import type { RholangTerm } from "../value/rholang.js";
import {
  type BlockName,
  type FinalizationState,
  type FinalizedDeployStatus,
  fetchFinalizedDeployStatus,
} from "../wait/standing.js";
import type {
  BlockTrace,
  BlockTransactions,
  DeployBrief,
  DeployStatus,
  DeploysPage,
  DeploysQuery,
  Exploration,
  ExplorationRequest,
  FullBlock,
  LightBlock,
  NetworkStatus,
  NodeStatus,
  PlacedBlock,
  PreparedDeploy,
  ReportedPeer,
  TransfersPage,
  TransfersQuery,
  ValueInBlock,
  ValuesInBlock,
} from "./answers.js";
import { fullBlockOf, lightBlockOf, lightBlocksOf } from "./blocksOfEither.js";
import { callRoute, type RouteArguments } from "./callRoute.js";
import { type CallOptions, HttpConnection, type HttpOptions } from "./HttpConnection.js";
import { everyPage } from "./pages.js";
import { withOptionalSyncStatus } from "./withOptionalSyncStatus.js";

/** A state to explore; without a hash that of the last finalized block. @spec 50 §1.9 */
export interface ExploredBlock extends CallOptions {
  readonly blockHash?: string;
  readonly usePreState?: boolean;
}

/** A state to look into, and what for. */
export type StateQuery = Static<NonNullable<(typeof stateRoutes)["data"]["query"]>>;

const deployAccepted = /DeployId is:\s*([0-9a-fA-F]+)/;

/**
 * A node's HTTP API, or that of several nodes that replace each other.
 *
 * Integers of 64 bits are `bigint`. Every method throws a {@link ClientError}: `refused` with the node's words when it
 * refuses. Reads are repeated when a node fails; see {@link HttpOptions}.
 *
 * @spec 50 §1
 */
export class HttpClient {
  readonly connection: HttpConnection;
  /** Whether the nodes take programs as JSON alone. */
  #exploresJson = false;

  constructor(options: HttpOptions | string) {
    this.connection = new HttpConnection(typeof options === "string" ? { url: options } : options);
  }

  /** Calls any route by its contract. */
  call<Params extends TSchema, Query extends TSchema, Body extends TSchema, Answer extends TSchema>(
    route: RouteContract<Params, Query, Body, Answer>,
    given?: RouteArguments<Params, Query, Body>,
    options?: CallOptions,
  ): Promise<Static<Answer>> {
    return callRoute(this.connection, route, given, options);
  }

  /** The node, its peers, and how far it has come. */
  async status(options?: CallOptions): Promise<NodeStatus> {
    const { version, ...status } = await this.call(withOptionalSyncStatus(dialectNeutralRoutes.status), {}, options);
    return { ...status, version: typeof version === "string" ? version : version.node };
  }

  /** The node and its network: shard, least price of phlo. */
  apiStatus(options?: CallOptions): Promise<NetworkStatus> {
    return this.call(withOptionalSyncStatus(apiStatusRoute), {}, options);
  }

  /** The known peers, with the version and the height that each of them reports. */
  async peers(options?: CallOptions): Promise<ReportedPeer[]> {
    return (await this.call(peersRoute, {}, options)).peers;
  }

  version(options?: CallOptions): Promise<string> {
    return this.call(versionRoute, {}, options);
  }

  /** Numbers for Prometheus. */
  metrics(options?: CallOptions): Promise<string> {
    return this.call(metricsRoute, {}, options);
  }

  /** Whether the node has caught up with its network. */
  async isReady(options?: CallOptions): Promise<boolean> {
    try {
      await callRoute(this.connection, readyRoute, {}, { ...options, isRepeatable: false });
      return true;
    } catch (error) {
      if (error instanceof ClientError && error.failure.code === "refused" && error.failure.status === 503)
        return false;
      throw error;
    }
  }

  /** All blocks of the greatest height. */
  async newestBlocks(options?: CallOptions): Promise<LightBlock[]> {
    return lightBlocksOf(await this.call(dialectNeutralRoutes.newestBlocks, {}, options));
  }

  /** The blocks of the greatest heights, the newest first. */
  async blocks(depth: number, options?: CallOptions): Promise<LightBlock[]> {
    return lightBlocksOf(await this.call(dialectNeutralRoutes.blocks, { params: { depth } }, options));
  }

  /**
   * Returns the blocks from one height to another, both included, the oldest first. A request for too many is refused;
   * f1r3node networks return fewer instead.
   */
  async blockSpan(start: number, end: number, options?: CallOptions): Promise<LightBlock[]> {
    return lightBlocksOf(await this.call(dialectNeutralRoutes.blockSpan, { params: { start, end } }, options));
  }

  async lastFinalizedBlock(options?: CallOptions): Promise<FullBlock> {
    return fullBlockOf(await this.call(dialectNeutralRoutes.lastFinalizedBlock, {}, options));
  }

  /** @param hash at least six digits of it */
  async block(hash: string, options?: CallOptions): Promise<FullBlock> {
    return fullBlockOf(await this.call(dialectNeutralRoutes.block, { params: { hash } }, options));
  }

  /** @param hash all of it; unknown blocks are not finalized */
  isFinalized(hash: string, options?: CallOptions): Promise<boolean> {
    return this.call(isFinalizedRoute, { params: { hash } }, options);
  }

  /** Hands in a signed deploy; twice is once. @returns its id, in hexadecimal digits */
  async deploy(deploy: Deploy, options?: CallOptions): Promise<string> {
    const text = await callRoute(
      this.connection,
      dialectNeutralRoutes.deploy,
      { body: deployJson(deploy) },
      { ...options, isWrite: true },
    );
    const id = deployAccepted.exec(text)?.[1];
    if (id === undefined) throw new ClientError({ code: "refused", call: deployRoute.name, messages: [text] });
    return id.toLowerCase();
  }

  /** The block that holds a deploy. @throws {ClientError} `refused`, see {@link isUnknownDeploy} */
  async findDeploy(deployId: string | Uint8Array, options?: CallOptions): Promise<LightBlock> {
    const found = await this.call(dialectNeutralRoutes.findDeploy, { params: { deployId: hexOf(deployId) } }, options);
    if (!("deployId" in found)) return lightBlockOf(found);
    // Nodes of f1r3node return the deploy, with the hash of its block only.
    return (await this.block(found.blockHash, options)).blockInfo;
  }

  /** Returns the state that an f1r3node node reports for a deploy in a block. @spec 50 §10.4 */
  async finalizationState(
    deployId: string | Uint8Array,
    options?: CallOptions,
  ): Promise<FinalizationState | undefined> {
    const found = await this.call(dialectNeutralRoutes.findDeploy, { params: { deployId: hexOf(deployId) } }, options);
    return "deployId" in found ? found.finalizationState : undefined;
  }

  /** Returns the status of a deploy in a final block. */
  standing(deployId: string | Uint8Array, block: BlockName): Promise<FinalizedDeployStatus> {
    return fetchFinalizedDeployStatus(this, hexOf(deployId).toLowerCase(), block);
  }

  /** The sequence number of the node's own latest block; -1 on an observer. */
  async sequenceNumber(options?: CallOptions): Promise<number> {
    return (await this.call(sequenceNumberRoute, {}, options)).seqNumber;
  }

  /** The first names that `new` will make in a deploy of this key and time. */
  prepareDeploy(
    deployer: string | Uint8Array,
    timestamp: bigint,
    nameQty: number,
    options?: CallOptions,
  ): Promise<PreparedDeploy> {
    return this.call(prepareDeployRoute, { body: { deployer: hexOf(deployer), timestamp, nameQty } }, options);
  }

  /**
   * Runs a program on a state and forgets it; what it sends on its first new name comes back. Validators refuse.
   *
   * @spec 50 §1.9
   */
  async explore(term: string | RholangTerm, state: ExploredBlock = {}): Promise<ValuesInBlock> {
    const { blockHash = "", usePreState = false } = state;
    const text = String(term);
    const isLatest = blockHash === "" && !usePreState;
    const body = { term: text, blockHash, usePreStateHash: usePreState };
    const { expr, block } = isLatest
      ? await this.#exploreLatest(text, state)
      : await this.call(dialectNeutralRoutes.exploreAtBlock, { body }, state);
    return { values: rhoValuesOfJson(expr), block: lightBlockOf(block) };
  }

  /** Nodes of one dialect take the program itself, those of the other refuse it, and want it as JSON. @spec 50 §10.4 */
  async #exploreLatest(term: string, options: CallOptions) {
    if (!this.#exploresJson) {
      try {
        return await this.call(dialectNeutralRoutes.explore, { body: term }, options);
      } catch (error) {
        const { failure } = error instanceof ClientError ? error : { failure: undefined };
        if (failure?.code !== "refused" || failure.kind !== "invalid_request_body") throw error;
      }
    }
    const answer = await this.call(dialectNeutralRoutes.exploreJson, { body: { term } }, options);
    this.#exploresJson = true;
    return answer;
  }

  /** Runs a program on the state of any block, within a budget. @spec 50 §1.11 */
  exploreWithin(request: ExplorationRequest, options?: CallOptions): Promise<Exploration> {
    return this.call(explorationRoute, { body: request }, options);
  }

  /**
   * Returns the values that deploys of the newest blocks left on a name; the oldest block comes first. Nodes of
   * f1r3node lack it.
   */
  async dataAtName(name: RhoUnforgeable, depth: number, options?: CallOptions): Promise<ValueInBlock[]> {
    const body = { name: unforgeableJsonOf(name), depth };
    const { exprs } = await this.call(dataAtNameRoute, { body }, options);
    return exprs.flatMap(({ expr, block }) => rhoValuesOfJson([expr]).map((value) => ({ value, block })));
  }

  /** Returns the values on a name after a block that touched it. */
  async dataAtNameAtBlock(name: RhoUnforgeable, blockHash: string, options?: CallOptions): Promise<ValuesInBlock> {
    const body = { name: unforgeableJsonOf(name), blockHash, usePreStateHash: false };
    const { expr, block } = await this.call(dialectNeutralRoutes.dataAtNameAtBlock, { body }, options);
    return { values: rhoValuesOfJson(expr), block: lightBlockOf(block) };
  }

  /** The transfers between vaults in a block; nodes of f1r3node report them with the deploys instead. */
  transactions(blockHash: string, options?: CallOptions): Promise<BlockTransactions> {
    return this.call(transactionsRoute, { params: { hash: blockHash } }, options);
  }

  /** Every produce, consume and communication of a block, on nodes that report. */
  trace(
    blockHash: string,
    { forceReplay = false, ...options }: CallOptions & { forceReplay?: boolean } = {},
  ): Promise<BlockTrace> {
    return this.call(traceRoute, { query: { blockHash, forceReplay } }, options);
  }

  /** A page of the deploys of a key or an address, the latest first. */
  deploys(query: DeploysQuery, options?: CallOptions): Promise<DeploysPage> {
    return this.call(deploysRoute, { query }, options);
  }

  /** All deploys of a key or an address, the latest first. */
  everyDeploy(query: DeploysQuery, options?: CallOptions): AsyncGenerator<DeploysPage["deploys"][number], void> {
    const ask = (after?: string) => this.deploys(after === undefined ? query : { ...query, after }, options);
    return everyPage(ask, ({ deploys }) => deploys);
  }

  /** A page of the transfers from and to an address, the latest first. */
  transfers(query: TransfersQuery, options?: CallOptions): Promise<TransfersPage> {
    return this.call(transfersRoute, { query }, options);
  }

  /** All transfers from and to an address, the latest first. */
  everyTransfer(
    query: TransfersQuery,
    options?: CallOptions,
  ): AsyncGenerator<TransfersPage["transfers"][number], void> {
    const ask = (after?: string) => this.transfers(after === undefined ? query : { ...query, after }, options);
    return everyPage(ask, ({ transfers }) => transfers);
  }

  /** Returns the status of the valid blocks of some heights, both ends included; at most 200 heights. */
  async blockStatuses(from: bigint, to: bigint, options?: CallOptions): Promise<PlacedBlock[]> {
    return (await this.call(blockStatusesRoute, { query: { from, to } }, options)).blocks;
  }

  /**
   * Returns the status of the valid blocks with a hash that begins with these digits, six at least; at most 8 of them.
   */
  async blocksOfHash(digits: string, options?: CallOptions): Promise<PlacedBlock[]> {
    return (await this.call(blockStatusesRoute, { query: { hash: digits } }, options)).blocks;
  }

  /** A deploy, every block that has it, and what has become of it. */
  deployStatus(deployId: string | Uint8Array, options?: CallOptions): Promise<DeployStatus> {
    return this.call(deployStatusRoute, { params: { id: hexOf(deployId) } }, options);
  }

  /**
   * Returns the status of many deploys, in the same order; `null` for those that the node does not know. At most 50.
   */
  async deployStatuses(
    deployIds: readonly string[],
    options?: CallOptions,
  ): Promise<(DeployStatus["status"] | null)[]> {
    return (await this.call(deployStatusesRoute, { body: { deployIds: [...deployIds] } }, options)).statuses;
  }

  /**
   * Returns the status and the effects of many deploys, in the same order; `null` for those that the node does not
   * know. At most 50.
   */
  async deployBriefs(deployIds: readonly string[], options?: CallOptions): Promise<(DeployBrief | null)[]> {
    const body = { deployIds: [...deployIds], summaries: true };
    const { statuses, summaries, timestamps } = await this.call(deployStatusesRoute, { body }, options);
    return statuses.map((status, at) =>
      status === null ? null : { status, summary: summaries?.[at] ?? null, timestamp: timestamps?.[at] ?? null },
    );
  }

  /**
   * Returns the balances of many addresses, in the smallest unit, in the same order. @param block `finalized` unless
   * given
   */
  async balances(addresses: readonly string[], block?: string, options?: CallOptions): Promise<bigint[]> {
    const body = block === undefined ? { addresses: [...addresses] } : { addresses: [...addresses], block };
    const { balances } = await this.call(balancesRoute, { body }, options);
    return balances.map(({ balance }) => balance);
  }

  /** Returns the data on a name, sent and not received yet, in any state, optionally with a proof. */
  stateData(root: string, query: StateQuery, options?: CallOptions) {
    return this.call(stateRoutes.data, { params: { root }, query }, options);
  }

  /** Returns the continuations that wait on names, in any state, optionally with a proof. */
  stateContinuations(root: string, query: StateQuery, options?: CallOptions) {
    return this.call(stateRoutes.continuations, { params: { root }, query }, options);
  }

  /** Sets of names on which continuations wait together with a name, in any state, with a proof where requested. */
  stateJoins(root: string, query: StateQuery, options?: CallOptions) {
    return this.call(stateRoutes.joins, { params: { root }, query }, options);
  }

  /** Returns a stream of events, live or from any kept place in the past. */
  events(options?: EventStreamOptions): EventStream {
    return new EventStream(this.connection, options);
  }
}

function hexOf(bytes: string | Uint8Array): string {
  return typeof bytes === "string" ? bytes : toHex(bytes);
}
