import type { NodeProcess } from "@vedette/cli/testing";
import { makeMixedChain, RecordedNetwork } from "@vedette/e2e";
import { type Measurements, quantile } from "../Measurements.js";
import { makeOwnGenesis } from "../ownGenesis.js";
import { executorTime, processorTime, type ThreadTime, threadTimes } from "../threadTimes.js";

/** Each has a transfer. */
const blocks = 1_200;
/** Blocks that the program has to compile itself, the index's threads too, and that caches have to fill. */
const settleBlocks = 400;
const people = { validators: ["v1", "v2", "v3"], payers: ["u1", "u2", "u3", "u4"], epochLength: 1_000 };
const rules = ["--max-number-of-parents=1", "--fault-tolerance-threshold=0"];
const indexMs = 180_000;
const restMs = 10_000;

/** The cost of a replay, from one block to the last one. */
interface Replay {
  readonly msOfBlock: number;
  /** The executor's processor time. */
  readonly executor: ThreadTime | undefined;
  /** The processor time of all threads of the process together. */
  readonly processorMs: number;
  readonly residentMb: number;
  /** After a request for a state, which starts a thread that reads states; a node with an index always has one. */
  readonly requestedMb: number;
}

/**
 * Has observers replay a chain of our own over loopback, with an index and without one by turns, and compares each
 * pair: what else happens on the machine changes more slowly than that.
 */
export async function benchIndexedReplay(
  measurements: Measurements,
  { directory, rounds }: { readonly directory: string; readonly rounds: number },
): Promise<void> {
  await using network = new RecordedNetwork("own");
  const genesis = await makeOwnGenesis(measurements, people, directory);
  const make = (dataDir: string) => makeMixedChain(dataDir, genesis, { blocks, mix: "transfers" });
  const server = await network.serveMade(make, rules);
  await server.line(/HTTP API server started/);
  const pairs: { readonly bare: Replay; readonly indexed: Replay }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const replayOf = (isIndexed: boolean) => replayed(network, `observer-${round}-${String(isIndexed)}`, isIndexed);
    const first = await replayOf(round % 2 === 1);
    const second = await replayOf(round % 2 === 0);
    pairs.push(round % 2 === 1 ? { bare: second, indexed: first } : { bare: first, indexed: second });
  }
  const median = (value: (pair: (typeof pairs)[0]) => number) => quantile(pairs.map(value), 0.5);
  const replays = `replay of ${blocks} blocks of a transfer`;
  measurements.add(`index: ${replays}, without it`, 1000 / median(({ bare }) => bare.msOfBlock), "blocks/s");
  measurements.add(
    `index: ${replays}, loses by it`,
    median(({ bare, indexed }) => (1 - bare.msOfBlock / indexed.msOfBlock) * 100),
    "%",
  );
  const ran = ({ executor }: Replay) => executor?.ranMs ?? Number.NaN;
  measurements.add(
    `index: ${replays}, executor works longer by`,
    median(({ bare, indexed }) => (ran(indexed) / ran(bare) - 1) * 100),
    "%",
  );
  measurements.add(
    `index: ${replays}, processor time more`,
    median(({ bare, indexed }) => (indexed.processorMs / bare.processorMs - 1) * 100),
    "%",
  );
  measurements.add(
    `index: ${replays}, memory more`,
    median(({ bare, indexed }) => indexed.residentMb - bare.residentMb),
    "MB",
  );
  measurements.add(
    `index: ${replays}, memory more when both were asked`,
    median(({ bare, indexed }) => indexed.requestedMb - bare.requestedMb),
    "MB",
  );
}

async function replayed(network: RecordedNetwork, name: string, isIndexed: boolean): Promise<Replay> {
  const observer = await network.observer("replayAll", name, isIndexed ? [...rules, "--index"] : rules);
  try {
    await observer.lineHoweverLate(blockLine(settleBlocks));
    const pid = observer.pid ?? 0;
    const before = threadTimes(pid);
    const beforeMs = processorTime(pid);
    await observer.lineHoweverLate(blockLine(blocks));
    const after = threadTimes(pid);
    const last = timeOf(observer, blocks);
    if (isIndexed) await untilIndexed(observer);
    // Threads that have nothing to do give back what they hold.
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const processorMs = processorTime(pid) - beforeMs;
    const residentMb = await privateMb(observer);
    await observer.post("/api/explore-deploy", "new answer in { answer!(1) }");
    await new Promise((resolve) => setTimeout(resolve, restMs));
    return {
      msOfBlock: (last - timeOf(observer, settleBlocks)) / (blocks - settleBlocks),
      executor: executorTime(pid, before, after),
      ...{ processorMs, residentMb },
      requestedMb: await privateMb(observer),
    };
  } finally {
    await observer.stop();
  }
}

async function untilIndexed(observer: NodeProcess): Promise<void> {
  const giveUpMs = performance.now() + indexMs;
  while (performance.now() < giveUpMs) {
    const { index } = JSON.parse(await observer.get("/api/status")) as { index?: { blockNumber: number | null } };
    if ((index?.blockNumber ?? -1) >= blocks) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the index does not come to the last block");
}

async function privateMb(observer: NodeProcess): Promise<number> {
  const found = /^vedette_private_memory_bytes (\S+)$/m.exec(await observer.get("/metrics"))?.[1];
  return Number(found ?? Number.NaN) / 1e6;
}

function blockLine(number: number): RegExp {
  return new RegExp(`Block #${number} \\([0-9a-f]+\\.\\.\\.\\) processing finished`);
}

function timeOf(observer: NodeProcess, number: number): number {
  const line = observer.lines.find((one) => blockLine(number).test(one));
  return Date.parse((JSON.parse(line ?? "{}") as { time: string }).time);
}
