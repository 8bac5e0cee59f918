import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChainRules } from "@vedette/chain";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import type { FastifyInstance } from "fastify";
import { readConfig } from "../config/readConfig.js";
import { EventLog } from "../events/EventLog.js";
import { genesisPortOf } from "../genesis/genesisPort.js";
import { History } from "../history/History.js";
import { bareServer } from "../http/bareServer.js";
import { registerDeployFinalization } from "../http/deployFinalization.js";
import { registerEstimateCost } from "../http/estimateCost.js";
import { registerBalances } from "../http/v2/balances.js";
import { registerDeploys } from "../http/v2/deploys.js";
import { registerTransfers } from "../http/v2/transfers.js";
import { BalanceQueries } from "../query/BalanceQueries.js";
import { BlockQueries } from "../query/BlockQueries.js";
import { Explorations } from "../query/Explorations.js";
import { StateRoots } from "../query/StateRoots.js";
import { Turns } from "../query/Turns.js";
import type { QueryReaders } from "../thread/ReaderPool.js";
import { StateExecutor } from "../thread/StateExecutor.js";
import { StateReader } from "../thread/StateReader.js";
import { executorHere, SoloValidator, testKey } from "./SoloValidator.js";

/** The vault of a test user. */
export const addressOf = (user: string) => vaultAddressOfPublicKey(testKey(user).publicKey)!;
/** What each test user has at the beginning. */
export const wealth = 50_000_000_000n;

/** A node that takes blocks, with its index of accounts and the routes that tell of it. */
export class AccountNode implements AsyncDisposable {
  readonly store = new MemoryStore(tablesOf("chain"));
  readonly #states = new MemoryStore(tablesOf("state"));
  readonly #executor = executorHere(new StateExecutor(this.#states));
  readonly #ended = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #server: FastifyInstance | undefined;
  readonly log = new EventLog({ store: this.store, newId: () => new Uint8Array(8), hasOneParent: false });
  validator!: SoloValidator;
  history!: History;

  /** @param rules with several parents, there is also a log of events */
  async begin(name: string, genesis: Block, rules: Partial<ChainRules> = {}): Promise<this> {
    const { store, log } = this;
    const recording = rules.maximumParents === undefined ? {} : { record: log.record };
    this.validator = await SoloValidator.begin(name, genesis, { store, executor: this.#executor, rules, ...recording });
    log.open(this.validator.chain.dag, this.validator.chain.rules.faultToleranceThreshold);
    this.open();
    const server = bareServer();
    registerDeploys(server, this.history.queries);
    registerTransfers(server, this.history.queries);
    const { dag } = this.validator.chain;
    const roots = new StateRoots(dag, async (some) => some.map(() => true));
    const readers = this.#readers();
    registerBalances(server, new BalanceQueries(roots, readers, 10_000));
    registerDeployFinalization(server, this.history.queries);
    registerEstimateCost(server, new Explorations({ roots, readers, turns: new Turns(1), isAllowed: true }));
    await server.listen({ host: "127.0.0.1", port: 0 });
    this.#server = server;
    return this;
  }

  /** A history over what is stored, as after a start. */
  open(): void {
    const { store } = this;
    const { chain } = this.validator;
    this.history = new History({ store, chain, blocks: new BlockQueries(chain, 50), readers: this.#readers() });
  }

  run(): void {
    this.#running = this.history.run(this.#ended.signal);
  }

  async make(): Promise<Block> {
    return this.#told(await this.validator.make());
  }

  async take(block: Block): Promise<void> {
    const status = await this.validator.take(block);
    if (status !== "Valid") throw new TypeError(`the block is not taken: ${status}`);
    this.#told(block);
  }

  async ask(path: string, body?: unknown): Promise<{ readonly status: number; readonly answer: Answer }> {
    const { port } = this.#server!.server.address() as AddressInfo;
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
    return { status: answer.status, answer: (await answer.json()) as Answer };
  }

  /** Waits until the index has every block. */
  async complete(): Promise<void> {
    for (let turn = 0; turn < 400 && !this.history.queries.facts().isComplete; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 25));
    if (!this.history.queries.facts().isComplete) throw new TypeError("the index is not complete after 10 s");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#server?.close();
  }

  #told(block: Block): Block {
    this.history.onChainEvent({ type: "blockAdded", block });
    return block;
  }

  #readers(): QueryReaders {
    const signals = { isCancelled: () => false, nowMs: () => performance.now() };
    const reader = new StateReader(this.#states, signals);
    return { call: async (method: keyof StateReader, argument: never) => reader[method](argument) } as QueryReaders;
  }
}

/** Looked into as a client does. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type Answer = any;

/** A first block of two validators, of whom one has nearly everything at stake, and three users. */
export async function accountGenesis(): Promise<Block> {
  const home = mkdtempSync(join(tmpdir(), "vedette-accounts-"));
  try {
    mkdirSync(join(home, "genesis"));
    const bonds = `${toHex(testKey("v1").publicKey)} 1000\n${toHex(testKey("v2").publicKey)} 10\n`;
    writeFileSync(join(home, "genesis", "bonds.txt"), bonds);
    const wallets = ["u1", "u2", "u3"].map((user) => `${addressOf(user)},${wealth}\n`).join("");
    writeFileSync(join(home, "genesis", "wallets.txt"), wallets);
    const { config } = readConfig({ home, options: new Map([["storage.data-dir", home]]), environment: {} });
    const executor = executorHere(new StateExecutor(new MemoryStore(tablesOf("state"))));
    const emptyStateHash = await executor.makeEmptyState();
    const nowMs = () => 1_700_000_000_000;
    const port = genesisPortOf({ executor, emptyStateHash, config, identity: undefined, log: () => {}, nowMs });
    return await port.make();
  } finally {
    rmSync(home, { recursive: true });
  }
}
