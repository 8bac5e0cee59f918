import {
  BlockTable,
  Chain,
  type ChainEvent,
  type ChainRules,
  noteMerge,
  type ProposeEvent,
  type RecordChange,
} from "@vedette/chain";
import { blake2b256, secp256k1PublicKeyOf } from "@vedette/crypto";
import { type ExecutionListener, RnodeExecutor, withBlockBytes } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import type { ExecutorClient } from "@vedette/executor/threads";
import { type ApprovedBlock, type Block, blockSignerOf, type Deploy, hashKey, signDeploy } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import type { NodeConsensus } from "../dialect/NodeDialect.js";
import type { NodeProposeEvent } from "../propose/NodeProposeEvent.js";
import { Proposing, type ProposingOptions } from "../propose/Proposing.js";
import { type TestNetwork, testNetwork } from "./testNetwork.js";

/** The key of a user or validator of tests and recorded chains. It guards nothing. */
export function testKey(name: string): { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array } {
  const privateKey = blake2b256(new TextEncoder().encode(`vedette test key ${name}`));
  return { privateKey, publicKey: secp256k1PublicKeyOf(privateKey) };
}

let deploysMade = 0;

/** A signed deploy of a test user; each call makes another one. */
export function userDeploy(user: string, term: string, change: Partial<Deploy> = {}): Deploy {
  deploysMade += 1;
  const unsigned = {
    term,
    timestamp: BigInt(deploysMade),
    phloPrice: 1n,
    phloLimit: 1_000_000n,
    validAfterBlockNumber: 0n,
    shardId: "root",
    ...change,
  };
  return signDeploy(unsigned, { algorithm: "secp256k1", ...testKey(user) });
}

/** How a validator differs from the usual one. */
export interface SoloOptions {
  /** The network of the validator; default: one of rnode. */
  readonly network?: TestNetwork;
  readonly rules?: Partial<ChainRules>;
  readonly proposing?: Partial<ProposingOptions>;
  readonly nowMs?: () => number;
  readonly store?: Store;
  /** Where its states are to be, empty yet; left out: in memory of its own. */
  readonly stateStore?: Store;
  /** In the place of one on `stateStore`, which has no states. */
  readonly executor?: ExecutorClient;
  readonly record?: RecordChange;
  /** Receives every merge of parents. */
  readonly onMerge?: ExecutionListener["onMerge"];
  /** Whether it slashes validators that no other validator's block shows to be offenders (40 §17). */
  readonly slashesUnconfirmed?: boolean;
}

/** States of first blocks of rnode's networks, by the block's hash. Readers do not change them. */
const executedGenesis = new Map<string, Promise<Store>>();

/**
 * Puts into a store what executing a first block of an rnode network leaves there. Each such block is
 * executed once in a process.
 *
 * @throws TypeError when the block is not right
 */
export async function fillWithGenesis(stateStore: Store, genesis: Block): Promise<void> {
  const key = hashKey(genesis.hash);
  let executed = executedGenesis.get(key);
  if (executed === undefined) executedGenesis.set(key, (executed = executeGenesis(genesis)));
  const states = await executed;
  stateStore.write((tables) => {
    for (const name of tablesOf("state"))
      for (const [entry, value] of states.table(name).range()) tables(name).put(entry, value);
  });
}

async function executeGenesis(genesis: Block): Promise<Store> {
  const states = new MemoryStore(tablesOf("state"));
  await SoloValidator.begin("v1", genesis, { executor: executorHere(new RnodeExecutor(states)) });
  return states;
}

function approvalOf(genesis: Block): ApprovedBlock {
  return { candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] };
}

/** A validator with everything but a network. */
export class SoloValidator {
  readonly chain: Chain;
  readonly proposing: Proposing;
  readonly consensus: NodeConsensus;
  readonly events: (ProposeEvent | NodeProposeEvent)[] = [];
  readonly announced: Block[] = [];
  #listener: Proposing | undefined;

  constructor(name: string, emptyStateHash: Uint8Array, options: SoloOptions & { readonly executor: ExecutorClient }) {
    const store = options.store ?? new MemoryStore(tablesOf("chain"));
    const nowMs = options.nowMs ?? (() => 4_000_000_000_000);
    const { dialect, config } = options.network ?? testNetwork("rnode");
    const { protocol } = dialect;
    this.consensus = dialect.consensus({
      ...{ config, store, provideState: async () => undefined },
      executor: withBlockBytes(options.executor, new BlockTable(store, { form: protocol.blockForm })),
      listener: {
        onMerge: (block, scope, merged) => {
          noteMerge(store, block, scope, merged);
          options.onMerge?.(block, scope, merged);
        },
      },
    });
    const { execution, proposing: proposeRules, chain: ofDialect } = this.consensus;
    const rules: ChainRules = {
      dialect: protocol,
      shardName: "root",
      maximumParents: 1,
      maximumParentDepth: undefined,
      minimumPhloPrice: 0n,
      faultToleranceThreshold: 0,
      finalizationRate: 1,
      emptyStateHash,
      ...options.rules,
    };
    const emit = (event: ChainEvent) => this.#listener?.onChainEvent(event);
    const { record } = options;
    this.chain = new Chain({ store, rules, execution, nowMs, emit, record, ...ofDialect });
    this.proposing = new Proposing({
      ...{ chain: this.chain, store, key: blockSignerOf(testKey(name).privateKey), forbiddenKeys: [] },
      rules: proposeRules,
      settings: {
        constraints: { synchronyThreshold: 0, heightThreshold: 1000n },
        autopropose: false,
        heartbeat: undefined,
        slashesUnconfirmed: options.slashesUnconfirmed ?? false,
      },
      whyNotYet: () => undefined,
      announce: (block) => this.announced.push(block),
      emit: (event) => this.events.push(event),
      // Where a test makes the time, no clock is set.
      ...{ nowMs, monotonicMs: options.nowMs ?? (() => performance.now()) },
      ...options.proposing,
    });
    this.#listener = this.proposing;
  }

  /**
   * A validator on a genesis, which it executes where an executor is given; else that was done once in this process.
   *
   * @throws TypeError when the genesis is not right
   */
  static async begin(name: string, genesis: Block, options: SoloOptions = {}): Promise<SoloValidator> {
    const { executor, stateStore = new MemoryStore(tablesOf("state")) } = options;
    if (executor === undefined) {
      await fillWithGenesis(stateStore, genesis);
      const onStates = executorHere(new RnodeExecutor(stateStore));
      const validator = new SoloValidator(name, await onStates.makeEmptyState(), { ...options, executor: onStates });
      await validator.beginOn(genesis);
      return validator;
    }
    const validator = new SoloValidator(name, await executor.makeEmptyState(), { ...options, executor });
    const wrong = await validator.chain.adoptGenesis(approvalOf(genesis));
    if (wrong !== undefined) throw new TypeError(`the genesis is not adopted: ${wrong.status}`);
    return validator;
  }

  /** Begins with a first block with existing states, see {@link fillWithGenesis}. */
  async beginOn(genesis: Block): Promise<void> {
    await this.chain.blocks.prepare(genesis);
    this.chain.adoptImported(approvalOf(genesis), []);
  }

  /** @throws TypeError when there is no block */
  async make(): Promise<Block> {
    const result = await this.proposing.proposer.propose();
    if (result.status !== "Success") throw new TypeError(`${result.status}: ${result.reason ?? ""}`);
    return result.block;
  }

  async take(block: Block): Promise<string> {
    return (await this.chain.process(block, false)).status.status;
  }
}
