import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChainRules } from "@vedette/chain";
import { type DialectName, type KeyName, readConfig } from "@vedette/config";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { loadForms, StateReader } from "@vedette/executor";
import { executorHere, stateExecutorOf } from "@vedette/executor/testing";
import type { QueryReaders } from "@vedette/executor/threads";
import type { Block } from "@vedette/protocol";
import {
  AccountIndex,
  Accounts,
  BalanceQueries,
  BlockQueries,
  DeploySummaries,
  Explorations,
  FairScheduler,
  NoteQueries,
  StateRoots,
  TransferQueries,
} from "@vedette/queries";
import { EventLog } from "@vedette/queries/events";
import {
  bareServer,
  registerBalances,
  registerBlockStatuses,
  registerDeployFinalization,
  registerDeploys,
  registerEstimateCost,
  registerTransfers,
  rnodeHttpConventions,
} from "@vedette/server";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { until } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { dialectOf } from "../dialect/dialectOf.js";
import { genesisPortOf } from "../genesis/genesisPort.js";
import { SoloValidator, testKey } from "./SoloValidator.js";

const rnodeForms = await loadForms("rnode");

/** The vault of a test user. */
export const addressOf = (user: string) => vaultAddressOfPublicKey(testKey(user).publicKey)!;
/** The initial balance of each test user. */
export const wealth = 50_000_000_000n;

/** A node that takes blocks, with its index of accounts and that index's routes. */
export class AccountNode implements AsyncDisposable {
  readonly store = new MemoryStore(tablesOf("chain"));
  readonly states = new MemoryStore(tablesOf("state"));
  readonly #ended = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #server: FastifyInstance | undefined;
  /** The readers' view of the states. */
  readonly #seen: Store;
  readonly log = new EventLog({ store: this.store, newId: () => new Uint8Array(8), hasOneParent: false });
  validator!: SoloValidator;
  accounts!: Accounts;

  /** @param see the readers' view of the written states; default: all at once */
  constructor(see: (states: Store) => Store = (states) => states) {
    this.#seen = see(this.states);
  }

  /** @param rules with several parents, there is also a log of events */
  async begin(name: string, genesis: Block, rules: Partial<ChainRules> = {}): Promise<this> {
    const { store, states: stateStore, log } = this;
    const recording = rules.maximumParents === undefined ? {} : { record: log.record };
    this.validator = await SoloValidator.begin(name, genesis, { store, stateStore, rules, ...recording });
    log.open(this.validator.chain.dag, this.validator.chain.rules.faultToleranceThreshold);
    this.open();
    const server = bareServer("public", rnodeHttpConventions);
    const { chain } = this.validator;
    const blocks = new BlockQueries(chain, 50);
    const notes = new NoteQueries({ dag: chain.dag, reporting: chain.reporting, blocks, readers: this.#readers() });
    registerBlockStatuses(server, this.accounts.queries);
    const transfers = new TransferQueries(this.#readers());
    const summaries = new DeploySummaries({ transfers, blocks, accounts: this.accounts.queries });
    registerDeploys(server, { accounts: this.accounts.queries, notes, summaries });
    registerTransfers(server, this.accounts.queries);
    const { dag } = chain;
    const roots = new StateRoots(dag, async (some) => some.map(() => true));
    const readers = this.#readers();
    registerBalances(server, new BalanceQueries(roots, readers, 10_000));
    registerDeployFinalization(server, this.accounts.queries);
    registerEstimateCost(server, new Explorations({ roots, readers, turns: new FairScheduler(1), isAllowed: true }));
    await server.listen({ host: "127.0.0.1", port: 0 });
    this.#server = server;
    return this;
  }

  /** A history over what is stored, as after a start. */
  open(): void {
    const { store } = this;
    const { chain } = this.validator;
    this.accounts = new Accounts({ store, chain, blocks: new BlockQueries(chain, 50), readers: this.#readers() });
  }

  run(): void {
    this.#running = this.accounts.run(this.#ended.signal);
  }

  /** The tables of the history. */
  get index(): AccountIndex {
    return new AccountIndex(this.store);
  }

  async make(): Promise<Block> {
    return this.#indexed(await this.validator.make());
  }

  async take(block: Block): Promise<void> {
    const status = await this.validator.take(block);
    if (status !== "Valid") throw new TypeError(`the block is not taken: ${status}`);
    this.#indexed(block);
  }

  async ask(path: string, body?: unknown): Promise<{ readonly status: number; readonly answer: Answer }> {
    const { port } = this.#server!.server.address() as AddressInfo;
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
    return { status: answer.status, answer: (await answer.json()) as Answer };
  }

  /** Waits until the index has every block. */
  async complete(): Promise<void> {
    await until("the index of accounts to be complete", () => this.accounts.queries.facts().isComplete);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#server?.close();
  }

  #indexed(block: Block): Block {
    this.accounts.onChainEvent({ type: "blockAdded", block });
    return block;
  }

  #readers(): QueryReaders {
    const signals = { isCancelled: () => false, nowMs: () => performance.now() };
    const reader = new StateReader(this.#seen, signals, { forms: rnodeForms });
    return { call: async (method: keyof StateReader, argument: never) => reader[method](argument) } as QueryReaders;
  }
}

/** Looked into as a client does. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type Answer = any;

/** Balances of a first block, and other settings. */
export interface GenesisPlan {
  /** Name of a test user → stake. */
  readonly bonds: Readonly<Record<string, bigint>>;
  /** Name of a test user → coins. */
  readonly wallets: Readonly<Record<string, bigint>>;
  /** Blocks of an epoch and of the quarantine after it; as configured by default where they are left out. */
  readonly epochLength?: number;
  readonly quarantineLength?: number;
  /** Whether it founds a network that judges equivocations by evidence; as configured by default where it is left out. */
  readonly judgesByEvidence?: boolean;
  /** The dialect of the network; default: rnode's. */
  readonly dialect?: DialectName;
}

/** A first block with three users and two validators, one of which has nearly all stake. */
export function accountGenesis(dialect: DialectName = "rnode"): Promise<Block> {
  const wallets = { u1: wealth, u2: wealth, u3: wealth };
  return testGenesis({ bonds: { v1: 1000n, v2: 10n }, wallets, dialect });
}

/** First blocks by their plans: each is played for about a second, and is the same each time. */
const plannedGenesis = new Map<string, Promise<Block>>();

/** A first block as a node makes it of its files. */
export function testGenesis(plan: GenesisPlan): Promise<Block> {
  const key = JSON.stringify(plan, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  const known = plannedGenesis.get(key);
  if (known !== undefined) return known;
  const made = makeGenesis(plan);
  plannedGenesis.set(key, made);
  return made;
}

async function makeGenesis(plan: GenesisPlan): Promise<Block> {
  const home = mkdtempSync(join(tmpdir(), "vedette-accounts-"));
  try {
    mkdirSync(join(home, "genesis"));
    const bonds = Object.entries(plan.bonds).map(([name, stake]) => `${toHex(testKey(name).publicKey)} ${stake}\n`);
    writeFileSync(join(home, "genesis", "bonds.txt"), bonds.join(""));
    const wallets = Object.entries(plan.wallets).map(([name, coins]) => `${addressOf(name)},${coins}\n`);
    writeFileSync(join(home, "genesis", "wallets.txt"), wallets.join(""));
    const options = new Map<KeyName, string | boolean>([["storage.data-dir", home]]);
    const { epochLength, quarantineLength, judgesByEvidence, dialect: name = "rnode" } = plan;
    options.set("dialect", name);
    if (epochLength !== undefined) options.set("casper.genesis-block-data.epoch-length", `${epochLength}`);
    if (quarantineLength !== undefined)
      options.set("casper.genesis-block-data.quarantine-length", `${quarantineLength}`);
    if (judgesByEvidence !== undefined)
      options.set("casper.genesis-block-data.equivocation-evidence", judgesByEvidence);
    const { config } = readConfig({ home, options, environment: {} });
    const executor = executorHere(stateExecutorOf(name, new MemoryStore(tablesOf("state"))));
    const emptyStateHash = await executor.makeEmptyState();
    const nowMs = () => 1_700_000_000_000;
    const port = genesisPortOf({
      ...{ executor, emptyStateHash, config, dialect: dialectOf(config), identity: undefined },
      ...{ log: () => {}, nowMs },
    });
    return await port.make();
  } finally {
    rmSync(home, { recursive: true });
  }
}
