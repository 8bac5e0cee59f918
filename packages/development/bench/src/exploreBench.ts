import { availableParallelism } from "node:os";
import { vaultAddressOfPublicKey } from "@vedette/crypto";
import { ReaderPool } from "@vedette/executor/threads";
import { rnode } from "@vedette/protocol";
import { type Measurements, quantile } from "./Measurements.js";
import { balanceExploration, trivialExploration } from "./programs.js";
import type { ReplayedState } from "./replayBench.js";

const warmUps = 60;
const queriesAlone = 200;
const queriesTogether = 600;
const together = 50;
const timeoutMs = 20_000;

/** Exploratory deploys through the reader threads, one at a time and many at once. @spec 41 §7.1 */
export async function benchExplorations(measurements: Measurements, state: ReplayedState): Promise<void> {
  const threads = Math.max(1, Math.min(4, availableParallelism() - 1));
  await using pool = new ReaderPool({
    stateDirectory: state.stateDirectory,
    threads,
    dialect: rnode.name,
    maxWaiting: together,
  });
  const address = vaultAddressOfPublicKey(state.owner);
  if (address === undefined) throw new Error("a deployer's key has no vault address");
  const ask = async (source: string): Promise<number> => {
    const start = performance.now();
    const call = { root: state.root, source, deployer: new Uint8Array(65), signature: new Uint8Array(64) };
    const answer = await pool.call("explore", { ...call, timestamp: 0n, timeoutMs, form: "json" }, timeoutMs);
    if (answer.kind !== "values" || answer.values.terms.length === 0)
      throw new Error(`an exploration gives ${answer.kind}`);
    return performance.now() - start;
  };
  const programs = [
    ["trivial", trivialExploration],
    ["vault balance", balanceExploration(address)],
  ] as const;
  for (const [name, source] of programs) {
    for (let i = 0; i < warmUps; i += 1) await ask(source);
    await benchLoad(measurements, `explore-deploy ${name}`, 1, queriesAlone, () => ask(source));
    await benchLoad(measurements, `explore-deploy ${name}`, together, queriesTogether, () => ask(source));
  }
}

/** Keeps `width` calls in flight until `count` are answered. */
async function benchLoad(
  measurements: Measurements,
  name: string,
  width: number,
  count: number,
  call: () => Promise<number>,
): Promise<void> {
  const times: number[] = [];
  let begun = 0;
  const start = performance.now();
  const worker = async () => {
    while (begun < count) {
      begun += 1;
      times.push(await call());
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  const seconds = (performance.now() - start) / 1000;
  const title = `${name}, ${width} at once`;
  measurements.add(`${title}, p50`, quantile(times, 0.5), "ms");
  measurements.add(`${title}, p99`, quantile(times, 0.99), "ms");
  measurements.add(title, count / seconds, "queries/s");
}
