import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { deployKeyOf, HttpClient, Wallet } from "@vedette/client";
import { patienceMs } from "@vedette/testing";

const program = fileURLToPath(new URL("../../../../program/cli/bin/vedette.js", import.meta.url));

interface Ready {
  readonly type: "ready";
  readonly ports: { readonly http: number };
  readonly accounts: readonly { readonly address: string; readonly publicKey: string; readonly privateKey: string }[];
}

/** A chain for development in a process of its own, on free ports, with the explorer at its HTTP port. */
export class ExplorerTestChain implements AsyncDisposable {
  readonly url: string;
  readonly node: HttpClient;
  readonly #process: ChildProcess;

  private constructor(
    process: ChildProcess,
    readonly ready: Ready,
  ) {
    this.#process = process;
    this.url = `http://127.0.0.1:${ready.ports.http}`;
    this.node = new HttpClient(this.url);
  }

  /** Needs the compiled program and the built site. @param more options of `vedette dev` */
  static async start(more: readonly string[] = []): Promise<ExplorerTestChain> {
    const child = spawn(process.execPath, [program, "dev", "--port", "0", "--json", ...more], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line) as Ready;
      if (message.type === "ready") {
        child.stdout.resume();
        return new ExplorerTestChain(child, message);
      }
    }
    throw new Error("vedette dev ended before it was ready");
  }

  get accounts() {
    return this.ready.accounts;
  }

  /** Signs a program with the first account's key, and waits until it is in a block. */
  async deploy(term: string) {
    const sent = await this.wallet().send(term);
    return { id: sent.id, block: await sent.included({ timeoutMs: patienceMs() }) };
  }

  wallet(): Wallet {
    const key = deployKeyOf(this.accounts[0]!.privateKey);
    return new Wallet({ key, validator: this.node, read: this.node, dialect: "rnode", phloLimit: 1_000_000n });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    await ended;
  }
}
