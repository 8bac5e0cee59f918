import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts, NodeProcess } from "@vedette/cli/testing";
import { type HeldMemory, heldMemory } from "@vedette/executor/threads";
import { type Measurements, quantile } from "../Measurements.js";
import { makeOwnGenesis } from "../ownGenesis.js";
import { processorSeconds } from "../soak/ProcessFigures.js";
import { makeHighChain } from "./makeHighChain.js";

/** The options of the benchmark. */
export interface HeightBenchOptions {
  /** Empty at first. */
  readonly directory: string;
  readonly heights: readonly number[];
  /** Starts of a node at each height. */
  readonly rounds: number;
}

const pollMs = 5;
const giveUpMs = 300_000;
/** A node is at rest if it has used no more than a small part of a core in this time. */
const restMs = 10_000;
const restShare = 0.05;
const maxRestMs = 900_000;

/** How long a node takes to its first answer, and what it holds then, by the height of its chain. */
export async function benchHeight(
  measurements: Measurements,
  { directory, heights, rounds }: HeightBenchOptions,
): Promise<void> {
  const genesis = await makeOwnGenesis(measurements, { validators: ["v1"], payers: ["u1"] }, directory);
  for (const height of heights) {
    const dataDir = join(directory, `height-${height}`);
    const begunMs = performance.now();
    await makeHighChain(dataDir, genesis, height);
    measurements.add(`${height} blocks: made in`, (performance.now() - begunMs) / 1000, "s");
    // The first start catches up with what is worked out from the blocks in the background.
    const first = await startedNode(dataDir, height);
    await untilAtRest(first.node);
    await first.node.stop();
    const starts: StartedOnce[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { node, ...times } = await startedNode(dataDir, height);
      await untilAtRest(node);
      const held = heldMemory(node.pid!);
      if (held === undefined) throw new Error("the system does not report the memory of a process");
      starts.push({ ...times, ...held });
      await node.stop();
    }
    const add = (what: string, of: (one: StartedOnce) => number, unit: string) =>
      measurements.add(`${height} blocks: ${what}`, quantile(starts.map(of), 0.5), unit);
    add("from the start of the process to the first answer", ({ answerMs }) => answerMs, "ms");
    add("processor time until then", ({ processorMs }) => processorMs, "ms");
    add("resident at rest", ({ privateBytes, mappedBytes }) => (privateBytes + mappedBytes) / 1e6, "MB");
    add("of it private", ({ privateBytes }) => privateBytes / 1e6, "MB");
  }
}

/** @throws Error where it goes on working */
async function untilAtRest({ pid }: NodeProcess): Promise<void> {
  const giveUpAtMs = performance.now() + maxRestMs;
  for (let used = processorSeconds(pid!); performance.now() < giveUpAtMs; ) {
    await sleep(restMs);
    const before = used;
    used = processorSeconds(pid!);
    if (used - before < (restShare * restMs) / 1_000) return;
  }
  throw new Error("the node does not come to rest");
}

interface StartTimes {
  readonly answerMs: number;
  /** The processor time of all threads, to 10 ms. */
  readonly processorMs: number;
}

type StartedOnce = StartTimes & HeldMemory;

/** Starts a node on a chain, and waits until it reports the chain's height. @throws Error with its log */
async function startedNode(dataDir: string, height: number): Promise<StartTimes & { readonly node: NodeProcess }> {
  const ports = await freePorts();
  const begunMs = performance.now();
  const node = new NodeProcess({ dataDir, ports, networkId: "high", args: ["--standalone"] });
  for (;;) {
    const answer = await node.get("/api/status").catch(() => "");
    const answerMs = performance.now() - begunMs;
    if (answer !== "") {
      const processorMs = processorSeconds(node.pid!) * 1000;
      const blocks = JSON.parse(await node.get("/api/blocks/1")) as readonly { readonly blockNumber: number }[];
      if (blocks[0]?.blockNumber !== height) throw new Error(`the node answers ${JSON.stringify(blocks[0])}`);
      return { node, answerMs, processorMs };
    }
    if (!node.isRunning || answerMs > giveUpMs) throw new Error(`the node does not answer:\n${node.lines.join("\n")}`);
    await sleep(pollMs);
  }
}
