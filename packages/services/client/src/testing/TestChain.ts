import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { errorText } from "@vedette/errors";
import { ClientError } from "../failure/ClientError.js";
import { HttpClient } from "../http/HttpClient.js";
import { RhoUnforgeable, type RhoValue } from "../value/RhoValue.js";
import type { RholangTerm } from "../value/rholang.js";
import { TestChainError } from "./TestChainError.js";

/** How a chain for tests is started. */
export interface TestChainOptions {
  /** The program `vedette`; left out: that of `node_modules/.bin` here or in a folder above, else that of `PATH`. */
  readonly program?: string;
  /** The seed of the accounts' keys; the same seed gives the same keys. */
  readonly seed?: string;
  /** The balance of each account, in the smallest unit. */
  readonly balance?: bigint;
  /** Address of the HTTP API of a node with the state from which the chain begins. */
  readonly fork?: string;
  /** With `fork`: from which block, its hash or height; left out: the last finalized one. */
  readonly at?: string;
  /** Until it is ready; left out: 60,000. Milliseconds. */
  readonly timeoutMs?: number;
}

/** An account with coins. Its key guards nothing. */
export interface TestAccount {
  readonly address: string;
  /** 65 bytes in hex. */
  readonly publicKey: string;
  /** 32 bytes in hex. */
  readonly privateKey: string;
}

/** A deploy that is in a block, and final. */
export interface TestDeploy {
  readonly deployId: string;
  readonly blockHash: string;
  readonly blockNumber: number;
  /** Phlo. */
  readonly cost: number;
  /** Whether its program failed; why, is in `errors`. */
  readonly errored: boolean;
  readonly errors: readonly string[];
  /** The values that its program sent to its deploy id (`rho:rchain:deployId`). */
  readonly data: readonly RhoValue[];
  /** The output of its program to stdout and stderr. */
  readonly prints: readonly string[];
}

/** The options of a deploy. */
export interface TestDeployOptions {
  /** The sender; default: the first account. */
  readonly from?: Pick<TestAccount, "publicKey">;
  readonly phloLimit?: number;
  readonly phloPrice?: number;
}

const usualTimeoutMs = 60_000;

/**
 * A chain for tests: a process of `vedette dev` on free ports of this machine, with ten accounts that have coins. A
 * block comes for every deploy, and is final at once.
 *
 * Begin each test with {@link reset}, which sets the chain back to how it was at its start, or at the last
 * {@link keep}; start one chain in a file of tests, so that files run side by side.
 */
export class TestChain implements AsyncDisposable {
  /** The public HTTP API. */
  readonly url: string;
  /** Reads of the chain. */
  readonly client: HttpClient;
  readonly accounts: readonly TestAccount[];
  readonly #process: ChildProcess;
  readonly #adminUrl: string;
  #kept = 0;

  private constructor(process: ChildProcess, ready: Ready) {
    this.#process = process;
    this.url = `http://127.0.0.1:${ready.ports.http}`;
    this.#adminUrl = `http://127.0.0.1:${ready.ports.adminHttp}`;
    this.client = new HttpClient({ url: this.url });
    this.accounts = ready.accounts;
  }

  /** Starts a chain. @throws {TestChainError} `notStarted` */
  static async start(options: TestChainOptions = {}): Promise<TestChain> {
    const folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
    // Keeps the node out of the contexts that the developer's own commands use.
    const env = { ...process.env, VEDETTE_CONTEXTS: join(folder, "contexts.json") };
    const child = spawn(options.program ?? findProgram(), argumentsOf(options), {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const end = () => child.kill("SIGTERM");
    // A run of tests that ends without stopping it must not leave it behind.
    process.once("exit", end);
    child.once("close", () => {
      process.off("exit", end);
      rmSync(folder, { recursive: true, force: true });
    });
    try {
      const chain = new TestChain(child, await readyOf(child, options.timeoutMs ?? usualTimeoutMs));
      await chain.keep();
      return chain;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Keeps the chain as it is now: from here {@link reset} begins. @throws {TestChainError} `refused` */
  async keep(): Promise<void> {
    this.#kept = ((await this.#ask("/dev/snapshot", {})) as { id: number }).id;
  }

  /** Sets the chain back to how it was at its start, or at the last {@link keep}. Event streams end. @throws {TestChainError} `refused` */
  async reset(): Promise<void> {
    await this.#ask("/dev/revert", { id: this.#kept });
    this.client.connection.seen.forget();
  }

  /**
   * Executes a program in the name of an account, and waits for the block.
   *
   * @param term Rholang; values come in unharmed by the template `rholang`
   * @throws {TestChainError} `refused`: the chain takes no such deploy, or no block can hold it. A program that fails is
   * an answer with `errored`
   */
  async deploy(term: string | RholangTerm, options: TestDeployOptions = {}): Promise<TestDeploy> {
    const { from = this.accounts[0]!, phloLimit, phloPrice } = options;
    const body = { term: String(term), deployer: from.publicKey, phloLimit, phloPrice };
    const placed = (await this.#ask("/dev/deploy", body)) as Placed;
    const { deployId, blockHash, blockNumber, cost, errored, systemDeployError } = placed;
    const [{ blocks }, data] = await Promise.all([
      this.client.deployStatus(deployId),
      this.#dataOf(deployId, blockHash),
    ]);
    const note = blocks.find(({ block }) => block.blockHash === blockHash);
    const faults = (note?.errors ?? []).map(({ class: name, text, line, column }) =>
      line === null ? `${name}: ${text}` : `${name} at ${line}:${column}: ${text}`,
    );
    const errors = systemDeployError === "" ? faults : [systemDeployError, ...faults];
    const prints = (note?.prints ?? []).map(({ text }) => text);
    return {
      ...{ deployId, blockHash, blockNumber, cost, errored: errored || systemDeployError !== "" },
      errors,
      data,
      prints,
    };
  }

  /**
   * Returns the values that a program sends to the first name of its `new`, on the newest state, which stays as it is.
   * @throws {ClientError}
   */
  async explore(term: string | RholangTerm): Promise<readonly RhoValue[]> {
    return (await this.client.explore(term)).values;
  }

  /** Gives coins from the faucet. @param amount in the smallest unit @throws {TestChainError} `refused` */
  async give(address: string, amount: bigint): Promise<void> {
    await this.#ask("/dev/faucet", { address, amount: Number(amount) });
  }

  /** Returns the present balance of an address, in the smallest unit. @throws {ClientError} */
  async balance(address: string): Promise<bigint> {
    return (await this.client.balances([address]))[0] ?? 0n;
  }

  /** Makes blocks without deploys. @throws {TestChainError} `refused` */
  async mine(blocks = 1): Promise<void> {
    await this.#ask("/dev/mine", { blocks });
  }

  /** Sets the chain's clock forward. @throws {TestChainError} `refused` */
  async passTime(milliseconds: number): Promise<void> {
    await this.#ask("/dev/time", { addMs: milliseconds });
  }

  /** Ends the chain, and waits for its end. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, "close");
    this.#process.kill("SIGTERM");
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #dataOf(deployId: string, blockHash: string): Promise<readonly RhoValue[]> {
    try {
      return (await this.client.dataAtNameAtBlock(new RhoUnforgeable("deploy", deployId), blockHash)).values;
    } catch (error) {
      // So rnode answers where nothing was sent there (50 §1.9).
      if (error instanceof ClientError && error.failure.code === "refused") return [];
      throw error;
    }
  }

  /** @throws {TestChainError} `refused`, `gone` */
  async #ask(path: string, body: object): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${this.#adminUrl}${path}`, request).catch((cause: unknown) => {
      throw new TestChainError({ code: "gone", reason: errorText(cause) }, { cause });
    });
    const reply = (await answer.json()) as { readonly detail?: string; readonly title?: string };
    if (answer.ok) return reply;
    throw new TestChainError({ code: "refused", path, reason: reply.detail ?? reply.title ?? `HTTP ${answer.status}` });
  }
}

/** The first line of `vedette dev --json`. */
interface Ready {
  readonly ports: { readonly http: number; readonly adminHttp: number };
  readonly accounts: readonly TestAccount[];
}

/** The chain's facts about a deploy. */
interface Placed {
  readonly deployId: string;
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly cost: number;
  readonly errored: boolean;
  readonly systemDeployError: string;
}

function argumentsOf({ seed, balance, fork, at }: TestChainOptions): string[] {
  const chosen = { seed, balance, fork, at };
  const options = Object.entries(chosen).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return ["dev", "--port=0", "--json", ...options];
}

/** Finds the program of the project under test, else that of the machine. */
function findProgram(): string {
  for (let folder = process.cwd(), above = dirname(folder); ; [folder, above] = [above, dirname(above)]) {
    const path = join(folder, "node_modules", ".bin", "vedette");
    if (existsSync(path)) return path;
    if (above === folder) return "vedette";
  }
}

/** @throws {TestChainError} `notStarted` with its text on standard error */
async function readyOf(child: ChildProcess, timeoutMs: number): Promise<Ready> {
  const errors: string[] = [];
  const failed = (reason: string) => new TestChainError({ code: "notStarted", reason, said: errors.join("").trim() });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < mostErrors) errors.push(text);
  });
  const lines = createInterface({ input: child.stdout! });
  return new Promise<Ready>((resolve, reject) => {
    const timer = setTimeout(() => reject(failed(`it was not ready in ${timeoutMs / 1000} s`)), timeoutMs);
    child.once("error", (error) => reject(failed(errorText(error))));
    child.once("close", (code) => reject(failed(`it ended with exit code ${code}`)));
    // Later lines, about blocks, are read and dropped, or the pipe would be full.
    lines.on("line", (line) => {
      clearTimeout(timer);
      resolve(JSON.parse(line) as Ready);
    });
  });
}

const mostErrors = 100;
