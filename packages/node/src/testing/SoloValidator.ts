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
import { type ApprovedBlock, type Block, blockSignerOf, type Deploy, signDeploy } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { type ExecutionListener, StateExecutor } from "@vedette/workers";
import { executorHere } from "@vedette/workers/testing";
import type { Executor } from "@vedette/workers/threads";
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
  /** Whose network it is on; left out: one of the reference node. */
  readonly network?: TestNetwork;
  readonly rules?: Partial<ChainRules>;
  readonly proposing?: Partial<ProposingOptions>;
  readonly nowMs?: () => number;
  readonly store?: Store;
  readonly executor?: Executor;
  readonly record?: RecordChange;
  /** Hears of every merge of parents. */
  readonly onMerge?: ExecutionListener["onMerge"];
  /** Whether it slashes whom nobody else has shown to be slashed (40 §17). */
  readonly slashesUnconfirmed?: boolean;
}

/** A validator with everything but a network. */
export class SoloValidator {
  readonly chain: Chain;
  readonly proposing: Proposing;
  readonly consensus: NodeConsensus;
  readonly events: (ProposeEvent | NodeProposeEvent)[] = [];
  readonly announced: Block[] = [];
  #listener: Proposing | undefined;

  constructor(name: string, emptyStateHash: Uint8Array, options: SoloOptions & { readonly executor: Executor }) {
    const store = options.store ?? new MemoryStore(tablesOf("chain"));
    const nowMs = options.nowMs ?? (() => 4_000_000_000_000);
    const { dialect, config } = options.network ?? testNetwork("rnode-scala");
    const { protocol } = dialect;
    this.consensus = dialect.consensus({
      ...{ config, store, provideState: async () => undefined },
      executor: dialect.asked(options.executor, new BlockTable(store, { form: protocol.blockForm })),
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

  /** A validator whose states are in memory, on a genesis. @throws TypeError when the genesis is not right */
  static async begin(name: string, genesis: Block, options: SoloOptions = {}): Promise<SoloValidator> {
    const executor = options.executor ?? executorHere(new StateExecutor(new MemoryStore(tablesOf("state"))));
    const validator = new SoloValidator(name, await executor.makeEmptyState(), { ...options, executor });
    const approved: ApprovedBlock = { candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] };
    const wrong = await validator.chain.adoptGenesis(approved);
    if (wrong !== undefined) throw new TypeError(`the genesis is not adopted: ${wrong.status}`);
    return validator;
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
