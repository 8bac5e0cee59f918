import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings, proxyConfig } from "@vedette/devtools/devnet";
import { NatsServer } from "@vedette/replication/streamTesting";
import { freePort, killProcess, processEvidence, S3Server, until, whyNoGo } from "@vedette/testing";
import { CommandProcess } from "../CommandProcess.js";
import { NetworkProcesses } from "../NetworkProcesses.js";
import { ReplicaProcess, type SnapshotPlace } from "./ReplicaProcess.js";
import type { Stages } from "./Stages.js";

/** How large the fleet is, and its chain's rhythm. */
export interface FleetSize {
  readonly validators: number;
  readonly rhythmMs: number;
  readonly replicas: number;
}

/** A node outside of all streams: its answers are compared with those of the fleet. */
const apart = "apart";
const pollMs = 200;

/** Why there can be no fleet here; `undefined` where there can. */
export function whyNoFleet(): string | undefined {
  try {
    execFileSync("haproxy", ["-v"]);
  } catch {
    return "there is no haproxy";
  }
  return whyNoGo();
}

/**
 * A fleet of real processes behind one name: a network that makes blocks, two publishers, NATS, an S3 server, replicas
 * that began with a snapshot from it, HAProxy with the configuration that is made for it; and a separate node.
 */
export class FleetProcesses implements AsyncDisposable {
  readonly network: NetworkProcesses;
  readonly nats: NatsServer;
  readonly s3: S3Server;
  readonly publishers: readonly CommandProcess[];
  readonly replicas: ReplicaProcess[] = [];
  /** Height from which on every replica has states: that of the newest snapshot. */
  statesFrom = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), "vedette-fleet-"));
  #proxy: ChildProcess | undefined;
  #ports = { http: 0, grpc: 0 };

  private constructor(network: NetworkProcesses, nats: NatsServer, s3: S3Server) {
    [this.network, this.nats, this.s3] = [network, nats, s3];
    // The first one, which the others join through, and one that makes no blocks.
    this.publishers = [network.names[0]!, "observer"].map((name) => {
      const directory = network.node(name).plan.directory;
      return new CommandProcess([
        ...["publish", `--data-dir=${directory}`, `--network-id=${network.networkId}`, `--nats=${nats.url}`],
      ]);
    });
  }

  /** Builds the servers that are no programs of ours, which takes minutes at the first time. */
  static build(): void {
    NatsServer.program();
    S3Server.program();
  }

  /** Starts all of it, and waits until its name answers. */
  static async start({ validators, rhythmMs, replicas }: FleetSize, stages: Stages): Promise<FleetProcesses> {
    stages.begin("NATS and the S3 server start");
    const parts: AsyncDisposable[] = [];
    const keep = <Part extends AsyncDisposable>(part: Part) => {
      parts.unshift(part);
      return part;
    };
    try {
      const nats = keep(await NatsServer.start());
      const s3 = keep(await S3Server.start());
      stages.begin("the network starts");
      const network = keep(await NetworkProcesses.start({ validators, rhythmMs }));
      await network.finalizes(network.names, 2);
      stages.begin("a separate node joins");
      await network.join(apart, "observer");
      await network.finalizes([apart], 3);
      const fleet = new FleetProcesses(network, nats, s3);
      parts.splice(0, parts.length, fleet);
      await fleet.#begin(replicas, stages);
      return fleet;
    } catch (error) {
      for (const part of parts) await part[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The one name, over HTTP. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports.http}`;
  }

  /** Port of the one name for gRPC. */
  get grpcPort(): number {
    return this.#ports.grpc;
  }

  /** The URL of the separate node, over HTTP. */
  get apartUrl(): string {
    return `http://127.0.0.1:${this.network.node(apart).plan.ports.http}`;
  }

  /** Its gRPC port. */
  get apartGrpcPort(): number {
    return this.network.node(apart).plan.ports.grpcExternal;
  }

  /** The heights of the separate node. */
  async heights(): Promise<{ readonly height: number; readonly finalized: number }> {
    const look = () => this.network.heights(apart).catch(() => undefined);
    return until("the separate node to return its heights", look, { everyMs: pollMs });
  }

  /** Puts a snapshot of the newest final state, with all blocks, into the bucket. */
  async makeSnapshot(): Promise<SnapshotPlace> {
    const place = `s3://${this.s3.bucket}/vedette`;
    const args = [
      ...["snapshot", "create", `--data-dir=${this.network.node("observer").plan.directory}`, `--location=${place}`],
      ...[`--endpoint=${this.s3.endpoint}`, "--region=us-east-1", "--blocks-from=0", "--json"],
    ];
    const making = new CommandProcess(args, this.s3.environment);
    const code = await making.ended();
    if (code !== 0) throw new Error(`no snapshot was made (${code}): ${making.said}`);
    const made = /^\{[\s\S]*^\}|^\{.*\}$/m.exec(making.said)?.[0];
    const { block } = JSON.parse(made!) as { block: { hash: string; number: number } };
    this.statesFrom = block.number;
    return { place, block: block.hash };
  }

  /** Waits until all replicas are ready. @throws Error with the last output of those that do not become ready */
  async areReady(): Promise<void> {
    let ready: readonly boolean[] = [];
    const look = async () => {
      ready = await Promise.all(this.replicas.map((replica) => replica.isReady()));
      return ready.every(Boolean);
    };
    const state = async () => {
      const missing = this.replicas.filter((_, at) => ready[at] !== true);
      return (await Promise.all(missing.map((replica) => replica.describe()))).join("\n");
    };
    await until("all replicas to be ready", look, { everyMs: pollMs, state });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const member of [...this.publishers, ...this.replicas]) await member[Symbol.asyncDispose]();
    await this.network[Symbol.asyncDispose]();
    await processEvidence.dismiss([], async () => {
      await killProcess(this.#proxy);
      await this.nats[Symbol.asyncDispose]();
      await this.s3[Symbol.asyncDispose]();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  async #begin(replicas: number, stages: Stages): Promise<void> {
    stages.begin("a snapshot is made");
    const snapshot = await this.makeSnapshot();
    stages.begin("replicas and the proxy start");
    for (let at = 1; at <= replicas; at += 1) this.replicas.push(await this.#startReplica(`replica${at}`, snapshot));
    await this.#startProxy();
    await this.areReady();
  }

  #startReplica(name: string, snapshot: SnapshotPlace): Promise<ReplicaProcess> {
    const { endpoint, environment } = this.s3;
    const args = [
      ...[`--network-id=${this.network.networkId}`, `--nats=${this.nats.url}`],
      ...[`--endpoint=${endpoint}`, "--region=us-east-1"],
      ...[`--fault-tolerance-threshold=${defaultSettings.faultTolerance}`, `--config=${this.#configFile()}`],
    ];
    return ReplicaProcess.start(name, join(this.#folder, name), { args, environment, snapshot });
  }

  /** Replicas count their limits by the proxy's client. */
  #configFile(): string {
    const file = join(this.#folder, "replica.conf");
    writeFileSync(file, 'api-server.proxies.trusted = ["127.0.0.1"]\n');
    return file;
  }

  async #startProxy(): Promise<void> {
    const host = "127.0.0.1";
    this.#ports = { http: await freePort(), grpc: await freePort() };
    const members = this.replicas.map(({ name, ports }) => ({
      name,
      host,
      httpPort: ports.http,
      grpcPort: ports.grpc,
    }));
    const file = join(this.#folder, "haproxy.cfg");
    writeFileSync(file, proxyConfig({ host, httpPort: this.#ports.http, grpcPort: this.#ports.grpc, members }));
    this.#proxy = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  }
}
