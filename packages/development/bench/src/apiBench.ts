import type { NodeProcess } from "@vedette/cli/testing";
import { addressOfKey, transferTerm } from "@vedette/client";
import { vaultAddressOfPublicKey } from "@vedette/crypto";
import { RecordedNetwork } from "@vedette/e2e";
import { startExecutorThread } from "@vedette/executor/threads";
import { openDataDirectory } from "@vedette/node/machine";
import { RecordedChain } from "@vedette/node/replay";
import { SoloValidator, testKey, userDeploy } from "@vedette/node/testing";
import { type Block, rnode } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { LoadGenerator } from "./LoadGenerator.js";
import type { LoadResult, RequestPlan, SubscriptionPlan } from "./LoadPlan.js";
import type { Measurements } from "./Measurements.js";
import { pairedReplay } from "./pairedReplay.js";
import { balanceExploration, trivialExploration } from "./programs.js";

const clients = 16;
const together = 50;
const subscribers = 1_000;
const warmUpMs = 2_000;
const measuredMs = 5_000;
/** About half a minute of replay, with a tenth of a second for a block. */
const chain = { blocks: 200, transfers: 5 } as const;
/** The number of rounds of all loads in each half of a comparison. */
const memoryRounds = 4;
const memoryLoadMs = 1_000;

type Load = Omit<RequestPlan, "port" | "milliseconds">;

type ReplayLoad = Load | Omit<SubscriptionPlan, "port">;

/** The options of the benchmark. */
export interface ApiBenchOptions {
  /** The folder of the recorded chain with the first block on which the replayed one is made. */
  readonly recording: string;
  /** Which loads are measured, by their names; memory is left out then. */
  readonly only?: RegExp | undefined;
  /** Replays for each load; more make what is lost more certain. */
  readonly rounds?: number;
}

/**
 * Requests to a running node over real sockets, from a process of its own on the same machine: while the node has
 * nothing else to do, and while it replays a chain that another process sends it. The latter also shows what the
 * replay loses.
 */
export async function benchApi(measurements: Measurements, options: ApiBenchOptions): Promise<void> {
  await using network = new RecordedNetwork("solo");
  const [genesis] = new RecordedChain(options.recording).blocks();
  const server = await network.serveMade((dataDir) => makeLongChain(dataDir, genesis!, chain));
  await server.line(/HTTP API server started/);
  await using generator = new LoadGenerator({ isYielding: false });
  await using yielding = new LoadGenerator({ isYielding: true });
  const bench = new ApiBench(measurements, network, server, { generator, yielding });
  await bench.run(options);
}

class ApiBench {
  readonly #measurements: Measurements;
  readonly #network: RecordedNetwork;
  readonly #server: NodeProcess;
  readonly #generator: LoadGenerator;
  /** For the time of a replay: that needs a core, and so does the rest of the node. */
  readonly #yielding: LoadGenerator;
  #observers = 0;

  constructor(
    measurements: Measurements,
    network: RecordedNetwork,
    server: NodeProcess,
    { generator, yielding }: { readonly generator: LoadGenerator; readonly yielding: LoadGenerator },
  ) {
    this.#measurements = measurements;
    this.#network = network;
    this.#server = server;
    this.#generator = generator;
    this.#yielding = yielding;
  }

  async run({ only, rounds = 1 }: ApiBenchOptions): Promise<void> {
    const loads = await this.#loads();
    const isWanted = ([name]: readonly [string, ...unknown[]]) => only === undefined || only.test(name);
    for (const [name, load] of loads.filter(isWanted)) await this.#whileIdle(name, load);
    if (only === undefined) await this.#memory(loads);
    for (const [name, load, unit] of this.#replayLoads(loads).filter(isWanted))
      for (let round = 0; round < rounds; round += 1) await this.#whileReplaying(name, load, unit);
  }

  #replayLoads(loads: readonly (readonly [string, Load])[]): readonly (readonly [string, ReplayLoad, string])[] {
    const subscriptions = { kind: "subscriptions", path: "/v2/events", clients: subscribers } as const;
    return [
      ...loads.map(([name, load]) => [name, load, "requests/s"] as const),
      [`events to ${subscribers} subscribers`, subscriptions, "messages/s"] as const,
    ];
  }

  async #loads(): Promise<readonly (readonly [string, Load])[]> {
    const newest = JSON.parse(await this.#server.get("/api/blocks/1")) as [{ blockHash: string; sender: string }];
    const [{ blockHash: genesis }] = JSON.parse(await this.#server.get("/api/blocks/0/0")) as [{ blockHash: string }];
    // A block of the usual size that a replaying node has early.
    const [{ blockHash }] = JSON.parse(await this.#server.get("/api/blocks/2/2")) as [{ blockHash: string }];
    const address = vaultAddressOfPublicKey(Buffer.from(newest[0].sender, "hex"));
    if (address === undefined || blockHash === genesis) throw new Error("the recorded chain is not the expected one");
    const get = (path: string): Load => ({ kind: "requests", method: "GET", path, clients });
    const explore = (body: string, atOnce: number): Load => {
      return { kind: "requests", method: "POST", path: "/api/explore-deploy", body, clients: atOnce };
    };
    return [
      ["status", get("/api/status")],
      ["a block", get(`/api/block/${blockHash}`)],
      ["ten blocks", get("/api/blocks/10")],
      ["last finalized block", get("/api/last-finalized-block")],
      ["explore-deploy trivial, 1 at once", explore(trivialExploration, 1)],
      [`explore-deploy trivial, ${together} at once`, explore(trivialExploration, together)],
      ["explore-deploy balance, 1 at once", explore(balanceExploration(address), 1)],
      [`explore-deploy balance, ${together} at once`, explore(balanceExploration(address), together)],
    ];
  }

  async #whileIdle(name: string, load: Load): Promise<void> {
    const plan = { ...load, port: this.#server.ports.http };
    await this.#generator.run({ ...plan, milliseconds: warmUpMs });
    this.#add(name, await this.#generator.run({ ...plan, milliseconds: measuredMs }), "requests/s");
  }

  /**
   * Measures the node's memory after much work: the same work again must not add to it. Garbage comes and goes between.
   */
  async #memory(loads: readonly (readonly [string, Load])[]): Promise<void> {
    const residents: number[] = [];
    for (let round = 0; round <= 2 * memoryRounds; round += 1) {
      for (const [, load] of loads)
        await this.#generator.run({ ...load, port: this.#server.ports.http, milliseconds: memoryLoadMs });
      residents.push(await residentBytes(this.#server));
    }
    const [early, late] = [residents.slice(1, memoryRounds + 1), residents.slice(memoryRounds + 1)];
    this.#measurements.add("api: memory of the node after all loads", Math.min(...early) / 1e6, "MB");
    this.#measurements.add(
      "api: memory added by the same loads again",
      (Math.min(...late) - Math.min(...early)) / 1e6,
      "MB",
    );
  }

  /** Has a new observer replay the whole chain, under load by turns. */
  async #whileReplaying(name: string, load: ReplayLoad, unit: string): Promise<void> {
    this.#observers += 1;
    const observer = await this.#network.observer("replayAll", `observer-${this.#observers}`);
    try {
      await observer.line(/HTTP API server started/);
      const plan = { ...load, port: observer.ports.http };
      const found = await pairedReplay(observer, this.#yielding, { plan, last: chain.blocks });
      this.#add(`${name}, while replaying`, found.load, unit);
      const title = `api: ${name}, the replay`;
      this.#measurements.add(`${title} without it`, found.blocksPerSecond, "blocks/s");
      this.#measurements.add(`${title} loses`, found.loss, "%");
      this.#measurements.add(`${title} loses, uncertain by`, found.uncertainty, "%");
      const { slowdown, waiting } = found;
      if (slowdown !== undefined) this.#measurements.add(`${title}: executor works longer by`, slowdown, "%");
      if (waiting !== undefined) this.#measurements.add(`${title}: executor waits for a core, more`, waiting, "%");
    } finally {
      await observer.stop();
    }
  }

  #add(name: string, { seconds, done, failed, p50, p99 }: LoadResult, unit: string): void {
    this.#measurements.add(`api: ${name}`, done / seconds, unit);
    this.#measurements.add(`api: ${name}, p50`, p50, "ms");
    this.#measurements.add(`api: ${name}, p99`, p99, "ms");
    if (failed > 0) this.#measurements.add(`api: ${name}, refused`, failed, "requests");
  }
}

async function residentBytes(node: NodeProcess): Promise<number> {
  const found = /^vedette_private_memory_bytes (\S+)$/m.exec(await node.get("/metrics"))?.[1];
  if (found === undefined) throw new Error("the node does not report its memory");
  return Number(found);
}

const users = ["u1", "u2", "u3", "v1"];

/**
 * Makes a chain on a recorded first block, with further blocks that are all alike. So a replay's work in one span of
 * them can be compared with that in another.
 */
async function makeLongChain(
  dataDir: string,
  genesis: Block,
  { blocks, transfers }: { readonly blocks: number; readonly transfers: number },
): Promise<void> {
  await using directory = await openDataDirectory(dataDir, rnode.name);
  await using executor = startExecutorThread({ stateDirectory: directory.state, dialect: "rnode" });
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  const one = await SoloValidator.begin("v1", genesis, { executor, store, nowMs: Date.now });
  let made = 0;
  for (let number = 0; number < blocks; number += 1) {
    const validAfterBlockNumber = one.chain.dag.nextBlockNumber() - 1n;
    for (let index = 0; index < transfers; index += 1, made += 1) {
      const [from, to] = [users[made % users.length]!, users[(made + 1) % users.length]!];
      const term = transferTerm(addressOf(from), addressOf(to), BigInt(made + 1), "rnode");
      await one.proposing.submit(userDeploy(from, term, { validAfterBlockNumber }));
    }
    const { body } = await one.make();
    if (body.deploys.length !== transfers || body.deploys.some(({ failed }) => failed))
      throw new Error(`block ${number + 1} of the long chain does not have its ${transfers} transfers`);
  }
}

function addressOf(user: string): string {
  return addressOfKey({ algorithm: "secp256k1", ...testKey(user) });
}
