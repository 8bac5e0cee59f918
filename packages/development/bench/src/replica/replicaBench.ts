import { mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "@vedette/cli/testing";
import { toHex } from "@vedette/crypto";
import { CommandProcess, type Mix, makeMixedChain } from "@vedette/e2e";
import type { Block } from "@vedette/protocol";
import { JetStreamSource, StreamNames } from "@vedette/replication/stream";
import { NatsServer } from "@vedette/replication/streamTesting";
import { whyNoGo } from "@vedette/testing";
import { LoadGenerator } from "../LoadGenerator.js";
import type { RequestPlan } from "../LoadPlan.js";
import { type Measurements, quantile } from "../Measurements.js";
import { makeOwnGenesis, mixedPeople } from "../ownGenesis.js";
import { Recording } from "../sync/Recording.js";
import { replayApart } from "../sync/replayApart.js";
import { type ReplicaMoment, ReplicaProcess } from "./ReplicaProcess.js";

/** The options of the benchmark. */
export interface ReplicaBenchOptions {
  /** Empty at first. */
  readonly directory: string;
  /** That are replayed and applied. */
  readonly blocks: number;
  /** The number of rounds, each by turns. */
  readonly rounds: number;
  readonly mix: Mix;
}

const networkId = "mixed";
/** Blocks that are made while a replica follows, and the time between them. */
const live = { blocks: 100, everyMs: 200 } as const;
const withinMs = 600_000;
/** The first part of a chain shows how a process begins: the part after it counts. */
const shareOfStart = 0.5;
/** Blocks between two looks at a replay. */
const replayLook = 50;
const reads = { clients: 8, milliseconds: 5_000, warmUpMs: 1_500 } as const;

/**
 * Measures the cost of a replica beside a node that replays: the same chain by turns, each time by a process of its own
 * with an empty data directory. It also measures how far the replica is behind a chain that grows, and checks its
 * answers. Other work on the machine changes wall times: only processor times and their ratios count, with the
 * machine's load beside them.
 */
export async function benchReplica(measurements: Measurements, options: ReplicaBenchOptions): Promise<void> {
  const why = whyNoGo();
  if (why !== undefined) return measurements.skip("replicas", why);
  const { directory, blocks } = options;
  const genesis = await makeOwnGenesis(measurements, mixedPeople, directory);
  await using server = await NatsServer.start();
  await using bench = new ReplicaBench(measurements, options, server.url);
  using recording = new Recording(bench.recorded);
  recording.add(genesis);
  await makeMixedChain(bench.chain, genesis, {
    ...{ blocks: blocks + live.blocks, mix: options.mix },
    onBlock: async (block) => {
      if (block.number > BigInt(blocks)) return bench.follow(block);
      recording.add(block);
      if (block.number === BigInt(blocks)) await bench.apply(block);
    },
  });
  await bench.end();
}

class ReplicaBench implements AsyncDisposable {
  /** Data directory of the chain that grows, and the folder with its recorded part. */
  readonly chain: string;
  readonly recorded: string;
  readonly #measurements: Measurements;
  readonly #options: ReplicaBenchOptions;
  readonly #nats: string;
  readonly #ending = new AbortController();
  #publisher: CommandProcess | undefined;
  #replica: ReplicaProcess | undefined;
  #made = 0;
  /** When blocks were on the node's disk, and when the replica sent the events. */
  readonly #stored = new Map<string, number>();
  readonly #received = new Map<string, number>();

  constructor(measurements: Measurements, options: ReplicaBenchOptions, nats: string) {
    [this.#measurements, this.#options, this.#nats] = [measurements, options, nats];
    this.chain = join(options.directory, "chain");
    this.recorded = join(options.directory, "recorded");
    mkdirSync(this.recorded);
  }

  /** The recorded chain is there: publishes it, then replays it and applies it by turns. */
  async apply(last: Block): Promise<void> {
    const { blocks, rounds, directory } = this.#options;
    const begunMs = performance.now();
    this.#publisher = new CommandProcess([
      ...["publish", `--data-dir=${this.chain}`, `--network-id=${networkId}`, `--nats=${this.#nats}`],
    ]);
    await this.#published(last);
    this.#add("published", (blocks / (performance.now() - begunMs)) * 1_000, "blocks/s");
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const replayed = await replayApart(this.recorded, join(directory, `replayed-${round}`), { every: replayLook });
      await this.#replica?.[Symbol.asyncDispose]();
      this.#replica = await this.#start();
      const moments = await this.#replica.moments(blocks, withinMs);
      const [first, end] = [moments[0]!, moments.at(-1)!];
      if (end.height === first.height) throw new Error("the chain is too short to be measured");
      const looks = replayed.heights.map(({ blocks: height, ms, cpuMs }) => ({ height, ms, processorMs: cpuMs }));
      const ofAll = [looks[0]!, looks.at(-1)!, first, end] as const;
      this.#reportSpeeds(round, "after genesis", ofAll);
      const steady = (moments: readonly ReplicaMoment[]) =>
        moments.find(({ height }) => height >= blocks * shareOfStart) ?? moments[0]!;
      ratios.push(this.#reportSpeeds(round, "second half", [steady(looks), ofAll[1], steady(moments), end]));
      this.#add(`replica ${round}, processor time with start and genesis`, end.processorMs / end.height, "ms a block");
      this.#reportMemory(`replica ${round}, at the last block`);
      this.#add("load of the machine, a minute", loadavg()[0]!, "");
    }
    this.#add("processor time of replay to that of the replica, second half", quantile(ratios, 0.5), "times");
    void this.#listen(this.#replica!);
    await sleep(1_000);
  }

  /** @returns the processor time of replay to that of the replica */
  #reportSpeeds(
    round: number,
    which: string,
    [from, to, begun, end]: readonly [ReplicaMoment, ReplicaMoment, ReplicaMoment, ReplicaMoment],
  ): number {
    const [replayMs, applyMs] = [processorMsOf(from, to), processorMsOf(begun, end)];
    this.#add(`replay ${round}, ${which}`, speedOf(from, to), "blocks/s");
    this.#add(`replica ${round}, ${which}`, speedOf(begun, end), "blocks/s");
    this.#add(`replay ${round}, processor time, ${which}`, replayMs, "ms a block");
    this.#add(`replica ${round}, processor time, ${which}`, applyMs, "ms a block");
    return replayMs / applyMs;
  }

  /** Notes when a further block was on the node's disk; the next one comes later. */
  async follow(block: Block): Promise<void> {
    this.#stored.set(toHex(block.hash), performance.now());
    await sleep(live.everyMs);
  }

  /** How far the replica was behind, and what it answers, alone and with another one. */
  async end(): Promise<void> {
    const last = this.#options.blocks + live.blocks;
    await this.#replica!.moments(last, withinMs);
    const lags = [...this.#stored].map(([hash, ms]) => (this.#received.get(hash) ?? Number.POSITIVE_INFINITY) - ms);
    this.#add("behind the node's disk, by events, median", quantile(lags, 0.5), "ms");
    this.#add("behind the node's disk, by events, 90 of 100", quantile(lags, 0.9), "ms");
    this.#add("behind the node's disk, by events, at most", Math.max(...lags), "ms");
    this.#reportMemory("replica that has followed");
    this.#add("load of the machine, a minute", loadavg()[0]!, "");
    await using other = await this.#start();
    await other.moments(last, withinMs);
    for (const path of ["/api/last-finalized-block", "/api/blocks/10", `/api/blocks/${last - 20}/${last - 10}`]) {
      await this.#read(path, [this.#replica!]);
      await this.#read(path, [this.#replica!, other]);
    }
    this.#reportMemory("replica after reads");
    this.#add("load of the machine, a minute", loadavg()[0]!, "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#replica?.[Symbol.asyncDispose]();
    await this.#publisher?.end("SIGTERM");
  }

  async #start(): Promise<ReplicaProcess> {
    this.#made += 1;
    const dataDir = join(this.#options.directory, `replica-${this.#made}`);
    return new ReplicaProcess({ dataDir, networkId, nats: this.#nats, ports: await freePorts() });
  }

  /** Waits until a block is in the stream. */
  async #published(block: Block): Promise<void> {
    const names = new StreamNames(networkId);
    await using source = new JetStreamSource(names, { servers: [this.#nats] });
    const isThere = async () => {
      await source.open();
      return (await source.find(names.block(block.hash, "valid"))) !== undefined;
    };
    while (!(await isThere().catch(() => false))) await sleep(50);
  }

  async #listen(replica: ReplicaProcess): Promise<void> {
    for await (const event of replica.client.events({ kinds: ["blockAdded"], signal: this.#ending.signal }))
      if (event.kind === "blockAdded") this.#received.set(event.blockHash, performance.now());
  }

  async #read(
    path: string,
    replicas: readonly [ReplicaProcess] | readonly [ReplicaProcess, ReplicaProcess],
  ): Promise<void> {
    await using first = new LoadGenerator({ isYielding: false });
    await using second = new LoadGenerator({ isYielding: false });
    const plans = replicas.map((replica, at) => {
      const plan: RequestPlan = { kind: "requests", port: replica.port, method: "GET", path, clients: reads.clients };
      return { plan, replica, generator: at === 0 ? first : second };
    });
    const load = (milliseconds: number) =>
      Promise.all(plans.map(({ plan, generator }) => generator.run({ ...plan, milliseconds })));
    await load(reads.warmUpMs);
    const before = plans.map(({ replica }) => replica.processorMs);
    const results = await load(reads.milliseconds);
    const spentMs = plans.reduce((sum, { replica }, at) => sum + replica.processorMs - before[at]!, 0);
    const done = results.reduce((sum, result) => sum + result.done, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    if (failed > 0) this.#add(`GET ${path}, refused`, failed, "");
    const name = `GET ${path}, ${replicas.length} ${replicas.length === 1 ? "replica" : "replicas"}`;
    this.#add(name, (done / reads.milliseconds) * 1_000, "reads/s");
    this.#add(`${name}, for a second of a processor`, (done / spentMs) * 1_000, "reads");
  }

  #reportMemory(what: string): void {
    const { memory } = this.#replica!;
    if (memory === undefined) return;
    this.#add(`${what}, private memory`, memory.privateBytes / 1e6, "MB");
    this.#add(`${what}, mapped files`, memory.mappedBytes / 1e6, "MB");
  }

  #add(what: string, value: number, unit: string): void {
    this.#measurements.add(what, value, unit);
  }
}

function speedOf(first: ReplicaMoment, end: ReplicaMoment): number {
  return ((end.height - first.height) / (end.ms - first.ms)) * 1_000;
}

function processorMsOf(first: ReplicaMoment, end: ReplicaMoment): number {
  return (end.processorMs - first.processorMs) / (end.height - first.height);
}
