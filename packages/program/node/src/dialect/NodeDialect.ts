import type { F1r3nodeNetworkFacts } from "@vedette/api";
import type { BlockExecution, Chain, ChainOptions, ProposeRules } from "@vedette/chain";
import type { Config } from "@vedette/config";
import type { AnyGenesisForm } from "@vedette/execution";
import type { ExecutionListener } from "@vedette/executor";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { Bond, Dialect } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { BlockValidationPort, SyncOptions } from "@vedette/sync";
import type { HeartbeatCaps } from "../propose/CappedRule.js";

/** The parts with which a chain is executed and judged. */
export interface ConsensusParts {
  readonly config: Config;
  /** Finds blocks that are merged by their hashes, as {@link withBlockBytes} and {@link executorPipeline} have it. */
  readonly executor: ExecutorClient;
  /** The store of the chain. */
  readonly store: Store;
  /** Makes a state usable, wherever it has to come from. */
  readonly provideState: (root: Uint8Array) => Promise<void>;
  readonly listener: ExecutionListener;
  /** Bonds that replace those of the states, on a chain for development that goes on from another one's state. */
  readonly bonds?: readonly Bond[] | undefined;
}

/** The differences in joining and serving a network. @spec 40 §3, 61 §16 */
export interface NetworkSync extends Pick<SyncOptions, "approved" | "join" | "floors" | "entries"> {
  readonly admission?: Pick<BlockValidationPort, "admitSettled">;
}

/** How a chain's blocks are executed, made and judged. */
export interface NodeConsensus {
  readonly execution: BlockExecution;
  readonly proposing: ProposeRules;
  readonly chain: Pick<ChainOptions, "consensus" | "firstMessage">;
  /** How the chain that was made with it is joined, and given to others. */
  sync(chain: Chain): NetworkSync;
  /** To be waited for before a chain that has begun is served. */
  prepare?(): Promise<void>;
  /** Brings to disk what was derived and can be derived again. */
  close?(): void;
}

/** Parts for following a chain of blocks that others have executed. */
export interface FollowedParts {
  readonly config: Config;
  /** Has the states that come with the blocks. */
  readonly executor: Pick<ExecutorClient, "bonds" | "faultTolerance" | "hasRoot">;
  /** The store of the chain. */
  readonly store: Store;
}

/** How blocks of a followed chain, which others have executed, are judged. */
export interface FollowedConsensus {
  readonly execution: BlockExecution;
  readonly chain: Pick<ChainOptions, "consensus" | "firstMessage">;
  /** Receives the bonds in a state that was taken, before the block with it is judged. */
  putBonds(root: Uint8Array, bonds: readonly Bond[]): void;
  /** To be waited for before blocks are taken, whenever that is begun; costs nothing the second time. */
  prepare(chain: Chain): Promise<void>;
  /** Brings to disk what was derived and can be derived again. */
  close(): void;
}

/** How networks are founded. @spec 40 §10, 61 §11 */
export interface NodeGenesis {
  readonly form: AnyGenesisForm;
  /** Whether a network that is founded judges equivocations by evidence. @spec 40 §16.1 */
  judgesByEvidence(config: Config): boolean;
  /** All stakes in a state. */
  stakes(executor: Pick<ExecutorClient, "bonds" | "stakes">, root: Uint8Array): Promise<readonly Bond[]>;
}

/**
 * How a node runs on a network of one dialect: the one place where the rules of all layers are put together.
 *
 * @spec 40 (opening), 61 §0
 */
export interface NodeDialect {
  readonly protocol: Dialect;
  /** Whether the bonds of a block are those of the state that it leads to. @spec 40 §5.6, 61 §13.6 */
  readonly hasBondsOfOwnState: boolean;
  /** Name of the rule set that judges the network; `undefined`: its dialect has none. @throws {ConfigError} @spec 61 §24 */
  ruleSet(config: Config): string | undefined;
  consensus(parts: ConsensusParts): NodeConsensus;
  /** Returns the additional facts of its status; `undefined` on rnode networks. @spec 50 §10 */
  f1r3nodeFacts(config: Config, isValidator: boolean): F1r3nodeNetworkFacts | undefined;
  /** The caps of a validator's heartbeat; `undefined`: blocks of the heartbeat follow rnode's rule. @spec 61 §17.1 */
  heartbeatCaps(config: Config): HeartbeatCaps | undefined;
  /** @spec 40 §3.9 */
  followed(parts: FollowedParts): FollowedConsensus;
  readonly genesis: NodeGenesis;
  /**
   * Looks at a chain before the node follows it.
   *
   * @param roots states of the chain, of which one is here at least
   * @throws {ExecutionError} where the configuration is not that of the network
   * @spec 61 §11
   */
  checkChain(
    config: Config,
    executor: Pick<ExecutorClient, "hasRoot" | "tokenMetadata">,
    roots: readonly Uint8Array[],
  ): Promise<void>;
}
