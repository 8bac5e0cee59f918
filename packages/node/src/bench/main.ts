import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RecordedChain } from "../replay/RecordedChain.js";
import { type ApiBenchOptions, benchApi } from "./apiBench.js";
import { benchEvents } from "./eventsBench.js";
import { benchExplorations } from "./exploreBench.js";
import { benchLanguage } from "./languageBench.js";
import { Measurements } from "./Measurements.js";
import { benchMemory, type MemoryBenchOptions } from "./memory/memoryBench.js";
import { makeOwnGenesis } from "./ownGenesis.js";
import { benchProposing } from "./proposeBench.js";
import { benchReplay } from "./replayBench.js";
import { benchHistory, benchSignatures } from "./storageBench.js";

// `npm run bench -- api` measures the requests alone, with `--only "a block|events"` those with such names, with
// `--rounds 3` each in three replays.
// `npm run bench -- memory` abuses nodes and watches their memory, which takes a quarter of an hour; with `--only` as
// above, and with `--quiet 10` it waits ten seconds, not sixty, after each abuse.
// Replay comes first: its peak of memory is that of the whole process.
const json = process.argv.includes("--json");
const measurements = new Measurements((line) => {
  if (!json) process.stdout.write(`${line}\n`);
});
const directory = mkdtempSync(join(tmpdir(), "vedette-bench-"));
try {
  const solo = join(sharedPath(), "chains", "solo");
  const isThere = existsSync(join(solo, "blocks.bin"));
  await bench(solo, isThere);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
measurements.add("memory at the end", process.memoryUsage.rss() / 1e6, "MB");
if (json)
  process.stdout.write(`${JSON.stringify({ measurements: measurements.all, skipped: measurements.skipped })}\n`);

async function bench(solo: string, isThere: boolean): Promise<void> {
  if (process.argv.includes("memory")) {
    await benchMemory(measurements, { recording: isThere ? solo : undefined, ...memoryOptions() });
    return;
  }
  if (!process.argv.includes("api")) await benchParts(solo, isThere);
  if (isThere) await benchApi(measurements, { recording: solo, ...apiOptions() });
  else measurements.skip("requests to a node", `${solo} is not there`);
}

/** What is measured within this process. */
async function benchParts(solo: string, isThere: boolean): Promise<void> {
  if (isThere) {
    const state = await benchReplay(measurements, solo, directory);
    await benchExplorations(measurements, state);
    const [genesis] = new RecordedChain(solo).blocks();
    const payers = ["u1", "u2", "u3", "v1"];
    await benchProposing(
      measurements,
      { name: "the recorded solo", genesis: genesis!, validator: "v1", payers },
      directory,
    );
  } else {
    measurements.skip("replay, explorations and their memory", `${solo} is not there`);
  }
  const own = { validator: "v1", payers: ["u1", "u2", "u3", "u4"] };
  const genesis = await makeOwnGenesis(measurements, own, directory);
  await benchProposing(measurements, { name: "our own contracts", genesis, ...own }, directory);
  await benchEvents(measurements);
  await benchHistory(measurements, directory);
  benchSignatures(measurements);
  benchLanguage(measurements);
}

function apiOptions(): Pick<ApiBenchOptions, "only" | "rounds"> {
  const only = optionOf("--only");
  return { only: only === undefined ? undefined : new RegExp(only), rounds: Number(optionOf("--rounds") ?? 1) };
}

function memoryOptions(): Pick<MemoryBenchOptions, "only" | "quietMs"> {
  const [only, quiet] = [optionOf("--only"), optionOf("--quiet")];
  return {
    ...(only === undefined ? {} : { only: new RegExp(only) }),
    ...(quiet === undefined ? {} : { quietMs: Number(quiet) * 1000 }),
  };
}

function optionOf(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** The folder with the reference's recordings, beside the checkout. */
function sharedPath(): string {
  const checkout = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..");
  return process.env["VEDETTE_SHARED"] ?? join(checkout, "..", "shared");
}
