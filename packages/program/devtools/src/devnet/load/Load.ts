import { setTimeout as sleep } from "node:timers/promises";
import {
  balanceTerm,
  buildDeploy,
  ClientError,
  deployKeyOf,
  HttpClient,
  type NetworkDialect,
  transferTerm,
  validAfterLatest,
  waitForFinalization,
} from "@vedette/client";
import { NodeClient } from "@vedette/client/node";
import { fromHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { TestWallet } from "../networkFiles.js";
import { ChainFollower } from "./ChainFollower.js";
import { DeployLedger } from "./DeployLedger.js";
import type { LoadReport } from "./LoadReport.js";
import { type LoadAction, type LoadShape, loadSchedule } from "./loadSchedule.js";
import { callTerm, contractTerm, sumTerm } from "./loadTerms.js";
import { NodeSamples, type SampledNode } from "./NodeSamples.js";

/** A load and what it is put on. */
export interface LoadOptions {
  readonly shape: Omit<LoadShape, "wallets" | "validators" | "cells">;
  readonly wallets: readonly TestWallet[];
  /** gRPC ports of the validators, all of this machine. */
  readonly validatorPorts: readonly number[];
  /** gRPC port of the node that reports what became of the deploys. */
  readonly observerPort: number;
  /** Port of its HTTP API. */
  readonly observerHttpPort: number;
  readonly nodes: readonly SampledNode[];
  /** The dialect of the network. */
  readonly dialect: NetworkDialect;
  readonly signal: AbortSignal;
  /** Awaited before any request to the nodes; optional. */
  readonly admission?: (() => Promise<void>) | undefined;
  /** Receives a line about the progress from time to time. */
  readonly onProgress: (text: string) => void;
}

const host = "127.0.0.1";
const cells = 16;
const followMs = 500;
const sampleMs = 5_000;
/** Memory is compared from here on. */
const warmUpMs = 120_000;
const setUpMs = 120_000;
/** How long after the last deploy everything may take to be final. */
const drainMs = 180_000;
const maxUnanswered = 500;
const phloLimit = 500_000n;

/** Puts a load on a network and keeps its books. */
export class Load {
  readonly #options: LoadOptions;
  readonly #ledger: DeployLedger;
  readonly #observer: NodeClient;
  readonly #follower: ChainFollower;
  readonly #validators: readonly NodeClient[];
  readonly #samples: NodeSamples;
  readonly #errors = new Map<string, number>();
  readonly #run: string;
  #lastTimestamp = 0;
  #unanswered = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    // Deploys that others pay for are not counted: a validator alone makes some for its rhythm.
    this.#ledger = new DeployLedger(new Set(options.wallets.map(({ publicKey }) => publicKey)));
    this.#observer = new NodeClient({ host, port: options.observerPort });
    this.#validators = options.validatorPorts.map((port) => new NodeClient({ host, port }));
    const http = new HttpClient({ url: `http://${host}:${options.observerHttpPort}` });
    this.#follower = new ChainFollower(this.#observer, this.#ledger, async (id) => {
      const { blocks } = await http.deployStatus(id);
      return blocks.filter(({ rejectedBy }) => rejectedBy !== null).length;
    });
    this.#samples = new NodeSamples(options.nodes);
    this.#run = `${options.shape.seed}x${Date.now().toString(36)}`;
  }

  /** @throws {ClientError} when the network does not answer at the beginning or at the end */
  async run(): Promise<LoadReport> {
    const { shape, onProgress } = this.#options;
    await this.#follower.begin();
    const firstBlock = this.#follower.finalizedNumber;
    const before = await this.#balances();
    if (shape.callsPerSecond > 0) await this.#setUp();
    onProgress(`Load begins at block ${this.#follower.height}`);
    const beganMs = performance.now();
    const watching = new AbortController();
    const watchers = [this.#follow(watching.signal), this.#sample(watching.signal, beganMs)];
    await this.#sendAll(beganMs);
    await this.#drain();
    watching.abort();
    await Promise.all(watchers);
    await this.#samples.look(true);
    return {
      seed: shape.seed,
      durationMs: performance.now() - beganMs,
      totals: this.#ledger.totals(),
      errors: Object.fromEntries(this.#errors),
      nodes: this.#samples.nodes,
      firstBlock,
      lastBlock: this.#follower.finalizedNumber,
      fees: this.#ledger.fees,
      imbalances: await this.#imbalances(before),
    };
  }

  [Symbol.dispose](): void {
    for (const client of [this.#observer, ...this.#validators]) client.close();
  }

  async #setUp(): Promise<void> {
    this.#options.onProgress("The contract that is called is deployed; its block becomes final before the load begins");
    const id = await this.#deploy(0, 0, contractTerm(this.#run, cells), 0);
    await waitForFinalization(this.#observer, fromHex(id), { timeoutMs: setUpMs, signal: this.#options.signal });
    await this.#follower.look(() => performance.now());
  }

  async #sendAll(beganMs: number): Promise<void> {
    const { shape, wallets, validatorPorts, signal, admission } = this.#options;
    const whole = { ...shape, wallets: wallets.length, validators: validatorPorts.length, cells };
    for (const action of loadSchedule(whole)) {
      const waitMs = beganMs + action.atMs - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      await admission?.();
      if (signal.aborted) return;
      if (this.#unanswered >= maxUnanswered) this.#failed(`the nodes are so slow that deploys are not sent`);
      else void this.#send(action);
    }
  }

  async #send(action: LoadAction): Promise<void> {
    const { wallets } = this.#options;
    const { wallet, validator, amount } = action;
    this.#unanswered += 1;
    try {
      if (action.kind === "call")
        await this.#deploy(validator, wallet, callTerm(this.#run, action.cell, amount), amount);
      else {
        const to = wallets[action.toWallet]!.address;
        await this.#deploy(validator, wallet, this.#transfer(wallets[wallet]!.address, to, amount), 0);
      }
    } catch (error) {
      this.#failed(errorText(error));
    } finally {
      this.#unanswered -= 1;
    }
  }

  async #deploy(validator: number, wallet: number, term: string, adds: number): Promise<string> {
    // Two deploys of one wallet with the same words and time would be the same deploy.
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
    const timestamp = BigInt(this.#lastTimestamp);
    const validAfterBlockNumber = validAfterLatest(BigInt(this.#follower.height));
    const key = deployKeyOf(fromHex(this.#options.wallets[wallet]!.privateKey));
    const deploy = buildDeploy({ term, timestamp, validAfterBlockNumber, phloLimit }, key);
    const id = await this.#validators[validator]!.deploy(deploy);
    this.#ledger.accepted(id, adds, performance.now());
    return id;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.admission?.();
      try {
        await this.#follower.look(() => performance.now());
      } catch (error) {
        this.#failed(errorText(error));
      }
      await sleep(followMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #sample(signal: AbortSignal, beganMs: number): Promise<void> {
    while (!signal.aborted) {
      await this.#options.admission?.();
      await this.#samples.look(performance.now() - beganMs > warmUpMs);
      const { submitted, included, finalized } = this.#ledger.totals();
      const { height, finalizedNumber } = this.#follower;
      const errors = [...this.#errors.values()].reduce((sum, count) => sum + count, 0);
      this.#options.onProgress(
        `${Math.round((performance.now() - beganMs) / 1_000)} s: block ${height}, final ${finalizedNumber}; ` +
          `${submitted} submitted, ${included} included, ${finalized} finalized, ${errors} errors`,
      );
      await sleep(sampleMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #drain(): Promise<void> {
    const giveUpMs = performance.now() + drainMs;
    const { signal } = this.#options;
    while ((this.#ledger.waiting > 0 || this.#unanswered > 0) && performance.now() < giveUpMs && !signal.aborted)
      await sleep(followMs);
    const left = this.#ledger.waiting;
    if (left > 0 && !signal.aborted) this.#failed(`${left} deploys did not become final within ${drainMs / 1_000} s`);
  }

  #transfer(from: string, to: string, amount: number): string {
    return transferTerm(from, to, BigInt(amount), this.#options.dialect);
  }

  async #balances(): Promise<bigint[]> {
    const blockHash = this.#follower.finalizedHash;
    const balances: bigint[] = [];
    for (const { address } of this.#options.wallets)
      balances.push(await this.#number(balanceTerm(address, this.#options.dialect), blockHash));
    return balances;
  }

  /** Coins go from wallet to wallet, and as fees; calls add to cells: nothing else may happen. */
  async #imbalances(before: readonly bigint[]): Promise<string[]> {
    const after = await this.#balances();
    const paid = sum(before) - sum(after);
    const imbalances: string[] = [];
    if (paid !== this.#ledger.fees)
      imbalances.push(`the wallets have ${paid} less, but ${this.#ledger.fees} were paid as fees`);
    if (this.#options.shape.callsPerSecond === 0) return imbalances;
    const cellSum = await this.#number(sumTerm(this.#run, cells), this.#follower.finalizedHash);
    const expected = this.#ledger.finalizedSum;
    if (cellSum !== expected) imbalances.push(`the contract's cells hold ${cellSum}, but ${expected} were added`);
    return imbalances;
  }

  async #number(term: string, blockHash: string): Promise<bigint> {
    const { data } = await this.#observer.explore(term, { blockHash });
    const expr = data[0]?.exprs[0];
    if (expr?.kind !== "GInt")
      throw new ClientError({
        code: "refused",
        call: "exploratoryDeploy",
        messages: [`no number is answered to:\n${term}`],
      });
    return BigInt(expr.value);
  }

  #failed(text: string): void {
    this.#errors.set(text, (this.#errors.get(text) ?? 0) + 1);
  }
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
