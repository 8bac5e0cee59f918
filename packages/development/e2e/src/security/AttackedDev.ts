import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevProcess } from "@vedette/cli/testing";
import { freePort, until } from "@vedette/testing";
import { CommandProcess } from "../network/CommandProcess.js";
import type { AttackedProgram, HonestDeploy } from "./Attack.js";
import { blockWith, handIn, newestOf } from "./honestDeploys.js";

/** A chain for development, and `vedette index --port` that follows it. */
export class AttackedDev implements AttackedProgram, AsyncDisposable {
  readonly #folder: string;
  readonly #index: CommandProcess;
  readonly dev: DevProcess;
  readonly indexPort: number;

  private constructor(folder: string, dev: DevProcess, index: CommandProcess, indexPort: number) {
    [this.#folder, this.dev, this.#index, this.indexPort] = [folder, dev, index, indexPort];
  }

  /** Starts both, and waits until the index answers. */
  static async start(): Promise<AttackedDev> {
    const folder = mkdtempSync(join(tmpdir(), "vedette-attacked-"));
    const dev = await DevProcess.start(["--seed", "an attack"]);
    const indexPort = await freePort();
    const node = `http://127.0.0.1:${dev.ready.ports.adminHttp}`;
    const file = join(folder, "index.sqlite");
    const index = new CommandProcess(["index", `--node=${node}`, `--file=${file}`, `--port=${indexPort}`]);
    const query = encodeURIComponent("{ blocks(limit: 1) { block_number } }");
    const answers = () =>
      fetch(`http://127.0.0.1:${indexPort}/graphql?query=${query}`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until("the index to answer", answers, { everyMs: 100, state: () => index.said });
    return new AttackedDev(folder, dev, index, indexPort);
  }

  get pid(): number {
    return this.dev.pid;
  }

  /** The id of the index's process. */
  get indexPid(): number {
    return this.#index.pid!;
  }

  get statusPort(): number {
    return this.dev.ready.ports.http;
  }

  get isRunning(): boolean {
    return this.dev.isRunning && !this.#index.hasEnded;
  }

  async sendDeploy(): Promise<HonestDeploy> {
    const { ports, accounts } = this.dev.ready;
    const { blockNumber: height } = await newestOf(ports.http);
    const id = await handIn(ports.grpcExternal, accounts[1]!.privateKey, "new honest in { honest!(1) }");
    return { id, height };
  }

  async heightOf({ id }: HonestDeploy): Promise<number> {
    return (await blockWith(this.statusPort, id)).blockNumber;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#index[Symbol.asyncDispose]();
    await this.dev[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
