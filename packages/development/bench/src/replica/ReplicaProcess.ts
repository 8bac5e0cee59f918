import { setTimeout as sleep } from "node:timers/promises";
import { type NodePorts, portOptions } from "@vedette/cli/testing";
import { HttpClient } from "@vedette/client";
import { CommandProcess } from "@vedette/e2e";
import { type HeldMemory, heldMemory } from "@vedette/executor/threads";
import { processorSeconds } from "../soak/ProcessFigures.js";

/** How a replica is started. */
export interface ReplicaPlan {
  /** Empty at first. */
  readonly dataDir: string;
  readonly networkId: string;
  readonly nats: string;
  readonly ports: NodePorts;
}

/** Where a replica was at a moment. */
export interface ReplicaMoment {
  readonly height: number;
  readonly ms: number;
  readonly processorMs: number;
}

/** Being looked at costs a replica about as much as a block. */
const lookMs = 500;

/** A `vedette replica` as a process, and what it takes of the machine. */
export class ReplicaProcess implements AsyncDisposable {
  readonly port: number;
  readonly client: HttpClient;
  readonly #process: CommandProcess;

  constructor({ dataDir, networkId, nats, ports }: ReplicaPlan) {
    // Ports of peers are none of a replica's.
    const options = portOptions(ports).filter((option) => option.startsWith("--api-port"));
    this.#process = new CommandProcess([
      ...["replica", `--data-dir=${dataDir}`, `--network-id=${networkId}`, `--nats=${nats}`, "--api-host=127.0.0.1"],
      ...options,
    ]);
    this.port = ports.http;
    this.client = new HttpClient(`http://127.0.0.1:${ports.http}`);
  }

  /** Looks at it until it is so high. @returns where it was, from the first block after genesis on */
  async moments(height: number, withinMs: number): Promise<readonly ReplicaMoment[]> {
    const moments: ReplicaMoment[] = [];
    const endMs = performance.now() + withinMs;
    while (performance.now() < endMs) {
      const reached = await this.height();
      if (reached !== undefined && reached > 0)
        moments.push({ height: reached, ms: performance.now(), processorMs: this.processorMs });
      if (reached !== undefined && reached >= height) return moments;
      await sleep(lookMs);
    }
    throw new Error(`the replica has not reached block #${height}: ${this.#process.said}`);
  }

  async height(): Promise<number | undefined> {
    const status = await this.client.status().catch(() => undefined);
    const height = status?.syncStatus?.blockNumber;
    return height === undefined ? undefined : Number(height);
  }

  get processorMs(): number {
    return processorSeconds(this.#process.pid ?? 0) * 1_000;
  }

  /** The memory that it holds now; `undefined` where the system does not report it. */
  get memory(): HeldMemory | undefined {
    return heldMemory(this.#process.pid ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.end("SIGTERM");
  }
}
