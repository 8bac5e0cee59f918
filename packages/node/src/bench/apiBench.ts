import { setTimeout as sleep } from "node:timers/promises";
import { vaultAddressOfPublicKey } from "@vedette/crypto";
import type { NodeProcess } from "../testing/NodeProcess.js";
import { RecordedNetwork, untilSynced } from "../testing/recordedNetwork.js";
import { LoadGenerator } from "./LoadGenerator.js";
import type { LoadResult, RequestPlan, SubscriptionPlan } from "./LoadPlan.js";
import type { Measurements } from "./Measurements.js";
import { balanceExploration, trivialExploration } from "./programs.js";

const clients = 16;
const together = 50;
const subscribers = 1_000;
const warmUpMs = 2_000;
const measuredMs = 5_000;
const syncMs = 300_000;
/** All loads in turn, so many times in each half of what is compared. */
const memoryRounds = 4;
const memoryLoadMs = 1_000;
/** The block from which on a replay is timed: before it the program is not compiled yet. */
const firstTimed = 3;

type Load = Omit<RequestPlan, "port" | "milliseconds">;

type ReplayLoad = Load | Omit<SubscriptionPlan, "port">;

/** A span of a replay. */
interface TimedReplay {
  readonly blocksPerSecond: number;
  readonly load: LoadResult | undefined;
}

/**
 * Requests to a running node over real sockets, from a process of its own on the same machine: while the node has
 * nothing else to do, and while it replays a chain that another process sends it. The latter also tells what the
 * replay loses.
 */
export async function benchApi(measurements: Measurements): Promise<void> {
  await using network = new RecordedNetwork("solo");
  const server = await network.serve();
  await using generator = new LoadGenerator({ isYielding: false });
  await using yielding = new LoadGenerator({ isYielding: true });
  const bench = new ApiBench(measurements, network, server, { generator, yielding });
  await bench.run();
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

  async run(): Promise<void> {
    const loads = await this.#loads();
    for (const [name, load] of loads) await this.#whileIdle(name, load);
    await this.#memory(loads);
    let before = await this.#replay();
    this.#measurements.add("api: replay without load", before.blocksPerSecond, "blocks/s");
    for (const [name, load, unit] of this.#replayLoads(loads)) {
      const loaded = await this.#replay(load);
      const after = await this.#replay();
      this.#tell(`${name}, while replaying`, loaded.load!, unit);
      // What others do on the machine shows in how the replays before and after differ.
      const alone = (before.blocksPerSecond + after.blocksPerSecond) / 2;
      const title = `api: ${name}, the replay loses`;
      this.#measurements.add(title, (1 - loaded.blocksPerSecond / alone) * 100, "%");
      this.#measurements.add(`${title}, uncertain by`, Math.abs(before.blocksPerSecond / alone - 1) * 100, "%");
      before = after;
    }
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
    this.#tell(name, await this.#generator.run({ ...plan, milliseconds: measuredMs }), "requests/s");
  }

  /** What the node holds after much work: the same work again must not add to it. Garbage comes and goes between. */
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

  /** Has a new observer replay the whole chain, under load from its first blocks on. */
  async #replay(plan?: ReplayLoad): Promise<TimedReplay> {
    this.#observers += 1;
    const observer = await this.#network.observer("replayAll", `observer-${this.#observers}`);
    try {
      await observer.line(blockLine(firstTimed - 1), syncMs);
      if (plan !== undefined) this.#yielding.begin({ ...plan, port: observer.ports.http });
      const last = Number(newestNumber(await this.#server.get("/api/blocks/1")));
      await observer.line(blockLine(last), syncMs);
      // What is on its way to readers still counts.
      if (plan?.kind === "subscriptions") await sleep(1_000);
      const load = plan === undefined ? undefined : await this.#yielding.end();
      await untilSynced(observer, this.#server, syncMs);
      const seconds = (timeOf(observer, last) - timeOf(observer, firstTimed)) / 1000;
      return { blocksPerSecond: (last - firstTimed) / seconds, load };
    } finally {
      await observer.stop();
    }
  }

  #tell(name: string, { seconds, done, failed, p50, p99 }: LoadResult, unit: string): void {
    this.#measurements.add(`api: ${name}`, done / seconds, unit);
    this.#measurements.add(`api: ${name}, p50`, p50, "ms");
    this.#measurements.add(`api: ${name}, p99`, p99, "ms");
    if (failed > 0) this.#measurements.add(`api: ${name}, refused`, failed, "requests");
  }
}

/** The line that tells that a block is in the chain. */
function blockLine(number: number): RegExp {
  return new RegExp(`Block #${number} \\([0-9a-f]+\\.\\.\\.\\) processing finished`);
}

function timeOf(observer: NodeProcess, number: number): number {
  const line = observer.lines.find((one) => blockLine(number).test(one));
  return Date.parse((JSON.parse(line ?? "{}") as { time: string }).time);
}

function newestNumber(blocks: string): number {
  return (JSON.parse(blocks) as [{ blockNumber: number }])[0].blockNumber;
}

async function residentBytes(node: NodeProcess): Promise<number> {
  const found = /^vedette_private_memory_bytes (\S+)$/m.exec(await node.get("/metrics"))?.[1];
  if (found === undefined) throw new Error("the node does not tell its memory");
  return Number(found);
}
