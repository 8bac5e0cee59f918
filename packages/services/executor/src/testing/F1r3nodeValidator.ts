import {
  BlockTable,
  Chain,
  type ChainEvent,
  DeployPool,
  type F1r3nodeConsensus,
  f1r3node0445,
  f1r3nodeConsensus,
  genesisFirst,
  MemoryFloorCache,
  type ProposeEvent,
  Proposer,
  type ProposerOptions,
  StoredFloorCache,
} from "@vedette/chain";
import { testKey } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { type Block, type Deploy, decodeBlock, encodeBlock, f1r3node, rnode, signDeploy } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { f1r3nodeExecutionOf, genesisExecution } from "../chain/f1r3nodeExecutionOf.js";
import { withBlockBytes } from "../chain/withBlockBytes.js";
import { F1r3nodeExecutor } from "../executor/F1r3nodeExecutor.js";
import { executorHere } from "./executorHere.js";

/** How a validator of tests is made; what is left out is usual. */
export interface F1r3nodeValidatorOptions {
  /** Blocks in an epoch, as genesis has it. */
  readonly epochLength?: bigint;
  /** Has the states of genesis already. */
  readonly stateStore?: Store;
  /** Has a chain already, with its floors. */
  readonly store?: Store;
  readonly proposer?: Partial<ProposerOptions>;
}

/** One validator of an f1r3node network, with stores of its own in memory. */
export class F1r3nodeValidator {
  readonly name: string;
  readonly stateStore: Store;
  readonly store: Store;
  readonly chain: Chain;
  readonly floors: F1r3nodeConsensus["floors"];
  readonly pool: DeployPool;
  readonly proposer: Proposer;
  readonly events: ProposeEvent[] = [];
  readonly chainEvents: ChainEvent[] = [];
  /** Unix milliseconds. */
  nowMs = 1_800_000_000_000;

  private constructor(name: string, options: F1r3nodeValidatorOptions) {
    const { epochLength = 6n, stateStore, proposer = {} } = options;
    this.name = name;
    this.stateStore = stateStore ?? new MemoryStore(tablesOf("state"));
    const store = options.store ?? new MemoryStore(tablesOf("chain"));
    this.store = store;
    const cache = options.store === undefined ? new MemoryFloorCache() : new StoredFloorCache(store);
    const states = new F1r3nodeExecutor(this.stateStore);
    const rules = {
      ...{ dialect: f1r3node, shardName: "root", maximumParents: 10, maximumParentDepth: 15, minimumPhloPrice: 1n },
      ...{ faultToleranceThreshold: 0.1, finalizationRate: 1, emptyStateHash: states.makeEmptyState() },
    };
    const nowMs = () => this.nowMs;
    const blocks = new BlockTable(store, { form: rnode.blockForm });
    const executor = withBlockBytes(executorHere(states), blocks);
    const execution = f1r3nodeExecutionOf(executor, blocks);
    const made: { proposer?: Proposer; consensus?: F1r3nodeConsensus } = {};
    const chain = new Chain({
      ...{ store, rules, nowMs, firstMessage: genesisFirst, execution: genesisExecution(execution, executor) },
      consensus(parts) {
        made.consensus = f1r3nodeConsensus(parts, {
          ...{ execution, epochLength, cache, ruleSet: f1r3node0445 },
          tolerance: async (stateHash) => states.faultTolerance(stateHash),
        });
        return made.consensus;
      },
      emit: (event) => {
        this.chainEvents.push(event);
        made.proposer?.onChainEvent(event);
      },
    });
    this.chain = chain;
    this.floors = made.consensus!.floors;
    this.pool = new DeployPool(store, { ...rules, forbiddenKeys: [] });
    this.proposer = new Proposer({
      ...{ chain, store, pool: this.pool, rules: made.consensus!.proposing, key: testKey(name) },
      constraints: { synchronyThreshold: 0, heightThreshold: 1000n },
      allowEmpty: true,
      announce: () => undefined,
      emit: (event) => this.events.push(event),
      ...{ nowMs, monotonicMs: nowMs, longestDeployMs: 60_000 },
      ...proposer,
    });
    made.proposer = this.proposer;
  }

  /** A validator on a genesis, which it executes if it has not its states. @throws TypeError when that is not right */
  static async begin(name: string, genesis: Block, options: F1r3nodeValidatorOptions = {}): Promise<F1r3nodeValidator> {
    const validator = new F1r3nodeValidator(name, options);
    if (options.stateStore !== undefined) {
      validator.chain.insertApproved(genesis);
      return validator;
    }
    const candidate = { block: genesis, requiredSignatures: 0 };
    const wrong = await validator.chain.adoptGenesis({ candidate, signatures: [] });
    if (wrong !== undefined) throw new TypeError(`${name} does not take genesis: ${wrong.status}`);
    return validator;
  }

  /** Makes a validator that has a chain and states. */
  static onStores(
    name: string,
    options: Required<Pick<F1r3nodeValidatorOptions, "store" | "stateStore">>,
  ): F1r3nodeValidator {
    return new F1r3nodeValidator(name, options);
  }

  /** Puts a program of a user into the pool. */
  deploy(user: string, term: string, change: Partial<Deploy> = {}): Deploy {
    this.nowMs += 1;
    const unsigned = {
      ...{ term, timestamp: BigInt(this.nowMs), phloPrice: 1n, phloLimit: 1_000_000n, shardId: "root" },
      validAfterBlockNumber: this.chain.dag.nextBlockNumber() - 1n,
      ...change,
    };
    const deploy = signDeploy(unsigned, { algorithm: "secp256k1", ...testKey(user) });
    const submission = this.pool.submit(deploy);
    if (submission.kind !== "accepted") throw new TypeError(`a deploy of a test is ${submission.kind}`);
    return deploy;
  }

  /** Makes a block. @returns it as others receive it @throws TypeError when there is none */
  async make(): Promise<Block> {
    const result = await this.proposer.propose();
    if (result.status !== "Success") throw new TypeError(`${this.name}: ${result.status} ${result.reason ?? ""}`);
    return received(result.block);
  }

  /** Takes a block of another one. @returns the status */
  async take(block: Block): Promise<string> {
    const { status } = await this.chain.process(block, false);
    return status.status;
  }

  /** Hash of a block's floor, in hex. */
  floorOf(hash: Uint8Array): string {
    return toHex(this.floors.floorOf(this.chain.dag.require(hash)).hash);
  }

  get lastFinalized(): { readonly hash: string; readonly number: number } {
    const { hash, number } = this.chain.dag.lastFinalized()!;
    return { hash: toHex(hash), number: Number(number) };
  }
}

/** A block that went over the wire. */
export function received(block: Block): Block {
  return decodeBlock(encodeBlock(block), f1r3node.blockForm);
}

/** A store with all that another one has. */
export function copyOf(store: Store): MemoryStore {
  const copy = new MemoryStore(tablesOf("state"));
  copy.write((tables) => {
    for (const name of tablesOf("state"))
      for (const [key, value] of store.table(name).range()) tables(name).put(key, value);
  });
  return copy;
}
