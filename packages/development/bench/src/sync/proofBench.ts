import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { freePorts, NodeProcess } from "@vedette/cli/testing";
import { makeMixedChain } from "@vedette/e2e";
import { type Measurements, quantile } from "../Measurements.js";
import { makeOwnGenesis, mixedPeople } from "../ownGenesis.js";
import { processorSeconds } from "../soak/ProcessFigures.js";

/** The options of the benchmark. */
export interface ProofBenchOptions {
  /** Empty at first. */
  readonly directory: string;
  /** The number of blocks of the mixed chain that is proven. */
  readonly blocks: number;
  /** The number of rounds for each number of parts, by turns. */
  readonly rounds: number;
}

const networkId = "mixed";
const rules = [
  ...["--max-number-of-parents=1", "--fault-tolerance-threshold=0", "--min-phlo-price=0"],
  "--discovery-lookup-interval=1s",
];

interface ProvenOnce {
  readonly seconds: number;
  /** The processor time of all threads of the node, from the start of the proof to its end. */
  readonly processorSeconds: number;
}

/**
 * How long a node that began with a state takes to prove what lies before it, in one part and in as many as there are
 * cores, by turns, each time with an empty data directory; a second process on the same machine gives it everything.
 *
 * @spec 40 §20.1
 */
export async function benchProof(measurements: Measurements, options: ProofBenchOptions): Promise<void> {
  const { directory, blocks, rounds } = options;
  const genesis = await makeOwnGenesis(measurements, mixedPeople, directory);
  const served = join(directory, "server");
  await makeMixedChain(served, genesis, { blocks, mix: "mixed" });
  const server = new NodeProcess({
    ...{ dataDir: served, ports: await freePorts(), networkId },
    args: ["--standalone", ...rules],
  });
  try {
    const bootstrap = await server.address();
    const cores = availableParallelism();
    const proofs = new Map<number, ProvenOnce[]>([1, Math.max(2, cores)].map((parts) => [parts, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [parts, of] of proofs) of.push(await provenOnce(join(directory, "late"), bootstrap, parts));
    const medians: number[] = [];
    for (const [parts, of] of proofs) {
      const seconds = of.map((one) => one.seconds);
      const name = `proof of ${blocks} blocks in ${parts} part${parts === 1 ? "" : "s"} (${cores} cores)`;
      medians.push(quantile(seconds, 0.5));
      measurements.add(name, medians.at(-1)!, "s");
      measurements.add(`${name}, most less least`, Math.max(...seconds) - Math.min(...seconds), "s");
      const ofProcessor = of.map((one) => one.processorSeconds);
      measurements.add(`${name}: processor time`, (quantile(ofProcessor, 0.5) / blocks) * 1_000, "ms a block");
    }
    measurements.add("proof: one part to several", medians[0]! / medians[1]!, "times");
  } finally {
    await server.stop();
  }
}

async function provenOnce(dataDir: string, bootstrap: string, parts: number): Promise<ProvenOnce> {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "rnode.conf"), `sync { verify-after = "0 seconds", parallel = ${parts} }\n`);
  const args = [`--bootstrap=${bootstrap}`, ...rules];
  const node = new NodeProcess({ dataDir, ports: await freePorts(), networkId, args });
  try {
    await node.lineHoweverLate(/Verifying history in the background/);
    const [begunMs, usedSeconds] = [performance.now(), processorSeconds(node.pid!)];
    await node.lineHoweverLate(/History verified since genesis/);
    const ended = { seconds: (performance.now() - begunMs) / 1_000, used: processorSeconds(node.pid!) };
    const aside = node.lines.find((line) => line.includes("not verified concurrently"));
    if (aside !== undefined) throw new Error(`parts were not verified concurrently: ${aside}`);
    return { seconds: ended.seconds, processorSeconds: ended.used - usedSeconds };
  } finally {
    await node.stop();
    rmSync(dataDir, { recursive: true });
  }
}
