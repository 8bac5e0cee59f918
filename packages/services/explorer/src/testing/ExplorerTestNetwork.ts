import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { deployKeyOf, HttpClient, Wallet } from "@vedette/client";
import { freePortRange, until } from "@vedette/testing";

const program = fileURLToPath(new URL("../../../../program/cli/bin/vedette.js", import.meta.url));
/** Ten of each node, of which there are six at most. */
const ports = 60;

interface Member {
  readonly name: string;
  readonly ports: { readonly http: number };
}

interface Begun {
  readonly type: "network";
  readonly nodes: readonly Member[];
  readonly wallets: readonly { readonly address: string; readonly privateKey: string }[];
}

/** A network of several validators in processes of its own, with the explorer at its observer's HTTP port. */
export class ExplorerTestNetwork implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #begun: Begun;

  private constructor(process: ChildProcess, folder: string, begun: Begun) {
    this.#process = process;
    this.#folder = folder;
    this.#begun = begun;
  }

  /** Needs the compiled program and the built site. @param more options of `vedette network` */
  static async start(more: readonly string[]): Promise<ExplorerTestNetwork> {
    const folder = mkdtempSync(join(tmpdir(), "vedette-explorer-"));
    const place = ["--dir", join(folder, "network"), "--base-port", String(await freePortRange(ports))];
    // Keeps out of the contexts of the user that runs the test.
    const env = { ...process.env, VEDETTE_CONTEXTS: join(folder, "contexts.json") };
    const child = spawn(process.execPath, [program, "network", "--json", ...place, ...more], {
      stdio: ["ignore", "pipe", "inherit"],
      env,
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line) as Begun;
      if (message.type !== "network") continue;
      child.stdout.resume();
      return new ExplorerTestNetwork(child, folder, message);
    }
    throw new Error("vedette network ended before it began");
  }

  get wallets() {
    return this.#begun.wallets;
  }

  get url(): string {
    return this.urlOf("observer");
  }

  /** The observer. */
  get node(): HttpClient {
    return new HttpClient(this.url);
  }

  /** Waits until the observer, and the validator of {@link wallet}, have a final block of this height. */
  async finalizes(height: bigint): Promise<void> {
    for (const node of [this.node, this.#validator])
      await until(`block ${height} to be final`, async () => {
        const last = await node.lastFinalizedBlock().catch(() => undefined);
        return last !== undefined && last.blockInfo.blockNumber >= height;
      });
  }

  get #validator(): HttpClient {
    return new HttpClient(this.urlOf("validator1"));
  }

  /** That of the first test wallet, at a validator. */
  wallet(): Wallet {
    const key = deployKeyOf(this.wallets[0]!.privateKey);
    return new Wallet({ key, validator: this.#validator, read: this.node, dialect: "rnode", phloLimit: 1_000_000n });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** @param name `observer`, `validator1` and so on */
  urlOf(name: string): string {
    return `http://127.0.0.1:${this.#begun.nodes.find((node) => node.name === name)!.ports.http}`;
  }
}
