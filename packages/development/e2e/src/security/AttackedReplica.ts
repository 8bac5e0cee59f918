import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevProcess } from "@vedette/cli/testing";
import { JetStreamPort, StreamNames } from "@vedette/replication/stream";
import { NatsServer } from "@vedette/replication/streamTesting";
import { freePort, until } from "@vedette/testing";
import { CommandProcess } from "../network/CommandProcess.js";
import type { AttackedProgram, HonestDeploy } from "./Attack.js";
import { blockWith, handIn, newestOf } from "./honestDeploys.js";

const lookMs = 200;

/** A replica of a chain for development, which follows a stream that strangers write to. */
export class AttackedReplica implements AttackedProgram, AsyncDisposable {
  readonly #parts: AsyncDisposable[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), "vedette-attacked-replica-"));
  #replica!: CommandProcess;
  /** The chain with the published blocks. */
  dev!: DevProcess;
  statusPort!: number;
  /** The port of the operator's HTTP server. */
  adminPort!: number;
  /** The stream, for an attacker that may write to it. */
  stream!: JetStreamPort;
  names!: StreamNames;

  /** Starts the server, the chain, its publisher and the replica, and waits until that follows. */
  static async start(): Promise<AttackedReplica> {
    const target = new AttackedReplica();
    try {
      await target.#start();
      return target;
    } catch (error) {
      await target[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    return this.#replica.pid!;
  }

  get isRunning(): boolean {
    return !this.#replica.hasEnded;
  }

  /** Hands a program to the chain that the replica follows. */
  async sendDeploy(): Promise<HonestDeploy> {
    const { ports, accounts } = this.dev.ready;
    const { blockNumber: height } = await newestOf(ports.http);
    const id = await handIn(ports.grpcExternal, accounts[1]!.privateKey, "new honest in { honest!(1) }");
    return { id, height };
  }

  /** By the replica's `/status`. */
  async heightOf({ id }: HonestDeploy): Promise<number> {
    return (await blockWith(this.statusPort, id)).blockNumber;
  }

  /** Waits until the replica has the newest block of the chain, and is ready. */
  async follows(): Promise<void> {
    const { ports } = this.dev.ready;
    const look = async () => {
      const [here, there] = await Promise.all([newestOf(this.statusPort), newestOf(ports.http)]);
      const { status } = await fetch(`http://127.0.0.1:${this.statusPort}/health/ready`);
      return status === 200 && here.blockHash === there.blockHash;
    };
    const state = () => this.#replica.said.slice(-2_000);
    await until("the replica to follow", () => look().catch(() => false), { everyMs: lookMs, state });
  }

  async #start(): Promise<void> {
    const folder = this.#folder;
    const environment = { VEDETTE_CONTEXTS: join(folder, "contexts.json"), XDG_CACHE_HOME: join(folder, "cache") };
    const server = this.#with(await NatsServer.start());
    const data = join(folder, "chain");
    this.dev = this.#with(await DevProcess.start(["--data-dir", data, "--seed", "a replica"], environment));
    const { networkId, shardId } = (await this.dev.get("/api/status")) as { networkId: string; shardId: string };
    const of = [`--network-id=${networkId}`, `--nats=${server.url}`];
    const { address } = this.dev.ready.accounts[1]!;
    await this.dev.ask("/dev/faucet", { address, amount: 5 });
    this.#with(new CommandProcess(["publish", `--data-dir=${data}`, ...of]));
    const place = join(folder, "snapshots");
    const making = this.#with(
      new CommandProcess([
        ...["snapshot", "create", `--data-dir=${data}`, `--location=${place}`, `--shard-name=${shardId}`, "--json"],
      ]),
    );
    await making.ended();
    const { block } = JSON.parse(making.said) as { block: { hash: string } };
    const [http, admin, external, internal] = await Promise.all(Array.from({ length: 4 }, freePort));
    [this.statusPort, this.adminPort] = [http!, admin!];
    this.#replica = this.#with(
      new CommandProcess([
        ...["replica", `--data-dir=${join(folder, "replica")}`, ...of, `--shard-name=${shardId}`],
        ...[`--snapshot=${place}`, `--block=${block.hash}`, `--api-port-http=${http}`],
        ...[`--api-port-admin-http=${admin}`, `--api-port-grpc-external=${external}`],
        `--api-port-grpc-internal=${internal}`,
      ]),
    );
    this.names = new StreamNames(networkId);
    this.stream = this.#with(new JetStreamPort(this.names, { servers: [server.url] }));
    await this.stream.open();
    await this.dev.ask("/dev/faucet", { address, amount: 5 });
    await this.follows();
  }

  /** Ends it when everything ends. */
  #with<Part extends AsyncDisposable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#parts.reverse()) await part[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
