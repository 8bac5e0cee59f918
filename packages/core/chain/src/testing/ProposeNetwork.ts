import { blake2b256, emptyBytes } from "@vedette/crypto";
import {
  Block,
  type BlockSigner,
  type Bond,
  blockSignerOf,
  type Deploy,
  type Dialect,
  hashBlock,
  hashKey,
  rnode,
  signDeploy,
} from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { Chain } from "../Chain.js";
import type { ChainEvent } from "../ChainEvent.js";
import type { ChainRules } from "../ChainRules.js";
import { DeployPool, type PoolOptions } from "../propose/DeployPool.js";
import type { ProposeEvent } from "../propose/ProposeEvent.js";
import type { ProposeResult } from "../propose/ProposeResult.js";
import { Proposer } from "../propose/Proposer.js";
import type { ProposerOptions } from "../propose/ProposerOptions.js";
import { referenceProposing } from "../propose/referenceProposing.js";
import { FakeExecution } from "./FakeExecution.js";
import { type F1r3nodeParts, f1r3nodeConsensusRules, f1r3nodeParts } from "./f1r3nodeParts.js";

type TestKey = BlockSigner & { readonly privateKey: Uint8Array };

const testKeys = new Map<string, TestKey>();

/** The key of a user or validator of tests. */
export function testKey(name: string): TestKey {
  let key = testKeys.get(name);
  if (key === undefined) {
    const privateKey = blake2b256(new TextEncoder().encode(`vedette test key ${name}`));
    key = { privateKey, ...blockSignerOf(privateKey) };
    testKeys.set(name, key);
  }
  // A receiver of a key may wipe it.
  return { ...key, privateKey: key.privateKey.slice() };
}

let deploysMade = 0;

/** A signed deploy; each call makes another one. */
export function signedDeploy(change: Partial<Deploy> = {}, user = "user1"): Deploy {
  deploysMade += 1;
  const unsigned = {
    term: "Nil",
    timestamp: BigInt(deploysMade),
    phloPrice: 1n,
    phloLimit: 1000n,
    validAfterBlockNumber: 0n,
    shardId: "root",
    ...change,
  };
  return signDeploy(unsigned, { algorithm: "secp256k1", ...testKey(user) });
}

/** A first block with these stakes. */
export function testGenesis(
  stakes: Readonly<Record<string, number>>,
  extraBytes: Uint8Array = emptyBytes,
  dialect: Dialect = rnode,
): Block {
  const bonds = Object.entries(stakes).map(([name, stake]) => ({
    validator: testKey(name).publicKey,
    stake: BigInt(stake),
  }));
  const state = { preStateHash: new Uint8Array(32), postStateHash: blake2b256(emptyBytes), bonds, blockNumber: 0n };
  const fields = {
    hash: emptyBytes,
    header: { parents: [], timestamp: 1_000n, version: 1n, extraBytes: emptyBytes },
    body: { state, deploys: [], systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] },
    justifications: [],
    sender: emptyBytes,
    sequenceNumber: 0,
    signature: emptyBytes,
    signatureAlgorithm: "",
    shardId: "root",
    extraBytes,
    form: dialect.blockForm,
  };
  return new Block({ ...fields, hash: hashBlock(new Block(fields), dialect) });
}

/** How a validator of tests is made; what is left out is usual. */
export interface TestValidatorOptions {
  readonly rules?: Partial<ChainRules>;
  readonly proposer?: Partial<ProposerOptions>;
  readonly pool?: PoolOptions;
  readonly store?: Store;
  /** With the states of a process before. */
  readonly execution?: FakeExecution;
  readonly nowMs?: () => number;
  /** By the rules of f1r3node, with several parents; left out: by rnode's. */
  readonly followsFloors?: boolean;
  /** With `followsFloors`: a model of f1r3node; whether it finds a block valid in a race with another one. */
  readonly isRaced?: ((block: Block) => boolean) | undefined;
}

/** One validator: a chain, a pool, a proposer, and the events that they emitted. */
export class TestValidator {
  readonly name: string;
  readonly store: Store;
  readonly chain: Chain;
  readonly pool: DeployPool;
  readonly proposer: Proposer;
  readonly execution: FakeExecution;
  readonly events: ProposeEvent[] = [];
  readonly chainEvents: ChainEvent[] = [];
  readonly announced: Block[] = [];
  /** The consensus by which it judges, if that is f1r3node's. */
  readonly f1r3node: F1r3nodeParts | undefined;
  #proposer: Proposer | undefined;

  constructor(name: string, genesis: Block, options: TestValidatorOptions = {}) {
    this.name = name;
    this.store = options.store ?? new MemoryStore(tablesOf("chain"));
    const { bonds, postStateHash } = genesis.body.state;
    this.execution = options.execution ?? new FakeExecution(postStateHash, bonds as readonly Bond[]);
    const nowMs = options.nowMs ?? (() => 1_000_000);
    const rules: ChainRules = {
      dialect: rnode,
      shardName: "root",
      maximumParents: 1,
      maximumParentDepth: undefined,
      minimumPhloPrice: 1n,
      faultToleranceThreshold: 0,
      finalizationRate: 1,
      emptyStateHash: new Uint8Array(32),
      ...(options.followsFloors === true ? f1r3nodeConsensusRules : {}),
      ...options.rules,
    };
    const f1r3node =
      options.followsFloors === true ? f1r3nodeParts(this.execution, this.store, options.isRaced) : undefined;
    this.chain = new Chain({
      ...{ store: this.store, rules, execution: this.execution, nowMs, ...f1r3node?.chain },
      emit: (event) => {
        this.chainEvents.push(event);
        this.#proposer?.onChainEvent(event);
      },
    });
    this.chain.insertApproved(genesis);
    this.f1r3node = f1r3node?.made();
    this.pool = new DeployPool(this.store, { ...rules, forbiddenKeys: [] }, options.pool);
    this.proposer = new Proposer({
      ...{ chain: this.chain, store: this.store, pool: this.pool, key: testKey(name) },
      rules: this.f1r3node?.consensus.proposing ?? referenceProposing(this.execution),
      constraints: { synchronyThreshold: 0, heightThreshold: 1000n },
      allowEmpty: true,
      announce: (block) => this.announced.push(block),
      emit: (event) => this.events.push(event),
      ...{ nowMs, monotonicMs: nowMs },
      ...options.proposer,
    });
    this.#proposer = this.proposer;
  }

  deploy(change: Partial<Deploy> = {}): Deploy {
    const deploy = signedDeploy(change);
    if (this.pool.submit(deploy).kind !== "accepted") throw new TypeError("a test's deploy is not taken");
    return deploy;
  }

  /** @throws TypeError when there is no block */
  async make(): Promise<Block> {
    const result = await this.proposer.propose();
    if (result.status !== "Success") throw new TypeError(`${this.name}: ${describeResult(result)}`);
    return result.block;
  }

  async status(): Promise<string> {
    return (await this.proposer.propose()).status;
  }

  /** Processes blocks of others that have all dependencies here. @returns statuses */
  async take(...blocks: readonly Block[]): Promise<string[]> {
    const statuses: string[] = [];
    for (const block of blocks) statuses.push((await this.chain.process(block, false)).status.status);
    return statuses;
  }

  eventsOf<T extends ProposeEvent["type"]>(type: T): Extract<ProposeEvent, { readonly type: T }>[] {
    return this.events.filter((event) => event.type === type) as Extract<ProposeEvent, { readonly type: T }>[];
  }

  get dialect(): Dialect {
    return this.chain.rules.dialect;
  }

  get lastFinalized(): number {
    return Number(this.chain.dag.lastFinalized()?.number ?? -1n);
  }
}

/** Hands a block of one validator to others. @throws TypeError when one of them does not find it valid */
export async function share(block: Block, ...others: readonly TestValidator[]): Promise<void> {
  for (const other of others) {
    const [status] = await other.take(block);
    if (status !== "Valid") throw new TypeError(`${other.name}: ${status}`);
  }
}

/** Describes the result of a proposal. */
export function describeResult(result: ProposeResult): string {
  return result.status === "Success" ? "Success" : `${result.status} ${result.reason ?? ""}`;
}

/** Ids of the deploys in a block. */
export function deployKeys(block: Block): string[] {
  return block.body.deploys.map(({ deploy }) => hashKey(deploy.signature));
}

/** Validators with the same stake. */
export const three = { v1: 10, v2: 10, v3: 10 };

/** Validators of one network, by their stakes. */
export function validators(stakes: Readonly<Record<string, number>>, options: TestValidatorOptions = {}) {
  const genesis = testGenesis(stakes);
  return Object.keys(stakes).map((name) => new TestValidator(name, genesis, options)) as [
    TestValidator,
    TestValidator,
    TestValidator,
  ];
}
