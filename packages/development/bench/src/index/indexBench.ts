import { join } from "node:path";
import { openIndexInProcess } from "@vedette/indexer/testing";
import { IndexFollower, openDatabase } from "@vedette/indexer/writing";
import { type Measurements, quantile } from "../Measurements.js";
import { GeneratedHistory } from "./GeneratedHistory.js";
import { requestedQueries } from "./requestedQueries.js";

/** The options of the benchmark. */
export interface IndexBenchOptions {
  readonly directory: string;
  /** Each has two deploys. */
  readonly blocks: number;
}

/** Each query so often, after some that warm up. */
const times = 60;
const warmUps = 5;

/** Fills an index, in a file, and runs an explorer's queries. */
export async function benchIndex(measurements: Measurements, { directory, blocks }: IndexBenchOptions): Promise<void> {
  const place = { kind: "sqlite", path: join(directory, "index.sqlite") } as const;
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  {
    await using database = await openDatabase(place);
    const feed = new GeneratedHistory(blocks);
    const ended = new AbortController();
    const began = performance.now();
    const usedBefore = process.cpuUsage();
    const running = new IndexFollower({ database, feed, emit: () => undefined }).run(ended.signal);
    await feed.done;
    measurements.add("index: blocks of two deploys written", (blocks * 1000) / (performance.now() - began), "blocks/s");
    const { user, system } = process.cpuUsage(usedBefore);
    measurements.add(
      "index: processor time of that, with making the blocks",
      (user + system) / 1000 / blocks,
      "ms/block",
    );
    ended.abort();
    await running;
  }
  clearInterval(timer);
  measurements.add("index: memory while it is filled, with what makes the blocks", (peak - before) / 1e6, "MB");
  await using asked = await openIndexInProcess(place);
  for (const [what, query] of Object.entries(requestedQueries)) {
    const taken: number[] = [];
    let used = process.cpuUsage();
    for (let round = 0; round < times + warmUps; round += 1) {
      if (round === warmUps) used = process.cpuUsage();
      const began = performance.now();
      const json = JSON.stringify((await asked.answer({ query })).body);
      if (round >= warmUps) taken.push(performance.now() - began);
      if (json.includes('"errors"')) throw new Error(`${what}: ${json.slice(0, 500)}`);
    }
    const { user, system } = process.cpuUsage(used);
    measurements.add(`index of ${2 * blocks} deploys: ${what}, p50`, quantile(taken, 0.5), "ms");
    measurements.add(`index of ${2 * blocks} deploys: ${what}, processor time`, (user + system) / 1000 / times, "ms");
  }
}
