import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RecordedChain } from "@vedette/node/replay";
import { type ApiBenchOptions, benchApi } from "./apiBench.js";
import { benchDev } from "./devBench.js";
import { benchDisk } from "./diskBench.js";
import { benchEvents } from "./eventsBench.js";
import { benchExplorations } from "./exploreBench.js";
import { benchFirstQuery } from "./firstQueryBench.js";
import { benchFloors, benchRecordedFloors } from "./floorBench.js";
import { benchHeight } from "./height/heightBench.js";
import { benchIndex } from "./index/indexBench.js";
import { benchIndexedReplay } from "./index/indexedReplayBench.js";
import { benchLanguage } from "./languageBench.js";
import { benchLight } from "./lightBench.js";
import { Measurements } from "./Measurements.js";
import { benchMemory, type MemoryBenchOptions } from "./memory/memoryBench.js";
import { makeOwnGenesis } from "./ownGenesis.js";
import { benchPrice, type PriceOptions } from "./price/priceBench.js";
import { benchProposing } from "./proposeBench.js";
import { benchReplay } from "./replayBench.js";
import { benchReplica } from "./replica/replicaBench.js";
import { benchSnapshot } from "./snapshotBench.js";
import { benchHistory, benchSignatures } from "./storageBench.js";
import { benchJoin } from "./sync/joinBench.js";
import { benchProof } from "./sync/proofBench.js";
import { benchSync } from "./sync/syncBench.js";
import { benchValidators } from "./validatorsBench.js";

const help = `npm run bench -- [api | dev | disk | first-query | floors | height | index | join | light | memory | price | proof | replica | snapshot | sync | validators] [options]

  (nothing)          replay, explorations, proposing, storage, language, f1r3node's chains, events, requests
  api                requests to a running node alone
  dev                vedette dev: start, a transfer, a fork of a recorded chain
  disk               a chain of our own, and what each table takes for a block
  first-query        a reader's thread begins and runs a program, as the first query after a rest does
  floors             f1r3node's chains as recorded, replayed three times; its network in one process: rounds of
                     three validators that contest a cell, and the merge of many blocks
  height             a node's start and memory by the height of its chain, which is made without being executed
  index              fills an index of a made chain, asks it what an explorer asks; replays with and without an index
  light              updates of a light client that follows the recorded chains: sizes, time
  price              what a unit of phlo takes of processor and memory, by families of programs, in play and replay;
                     what a call takes of a dictionary with 100,000 keys ("calls of a dictionary")
  proof              a node that began with a state proves what lies before it, in one part and in as many as there are
                     cores, by turns
  replica            a chain of our own, replayed and taken by replicas by turns; how far these are behind, what they hold
                     and answer (needs nats-server, which Go makes)
  snapshot           makes, reads and begins with a snapshot of a made state
  sync               replays recorded chains and a mixed one of our own from their first blocks on, by stages, beside
                     the time that hashes, signatures, encodings and commits take alone
  join               an observer from an empty folder to the tip of a long chain, by a snapshot and a node beside it; the
                     chain is made first, at some 200 blocks a second
  validators         fork choice, checks, finality and insertion of a block beside its execution, by rnode's, evidence's
                     and f1r3node's rules, with 3, 10, 30 and 100 validators and 1, 3 and 10 parents
  memory             abuses nodes and watches their memory, which takes a quarter of an hour

Options:
  --only <pattern>   measurements of api or memory, or families of price, with names that match, such as "a block|events"
  --dialect <name>   price: rnode or f1r3node (default: both)
  --longest <ms>     price: a family is taken at growing sizes until a run takes so long (default: 1000)
  --rounds <number>  api: each in so many replays; sync: each chain so many times (default: 3);
                     replica, proof: turns (default: 3); join: joins (default: 3); first-query: starts (default: 20); index: pairs of replays (default: 3; 0: none); height: starts (default: 3)
  --quiet <seconds>  memory: how long is waited after each abuse (default: 60)
  --blocks <number>  disk: length of the chain (default: 1000); sync: of the mixed chain, which is made once and kept
                     (default: 100000); 0: without it; height: of the chain, beside one of 100 (default: 100000); index: of the made chain (default: 50000); 0: replays only; validators: of each network (default: 200);
                     replica: of the chain (default: 1000); proof: of the chain (default: 4000); join: of the chain (default: 100000)
  --since <number>   join: blocks since the snapshot (default: 1800)
  --megabytes <n>    snapshot: of nodes and leaves (default: 300)
  --mix <name>       disk: mixed (the default) or transfers; replica: busy (the default: five deploys a block) or mixed
  --keep <path>      disk: where the chain is left
  --json             one JSON object at the end
  --help             this text
`;
if (process.argv.includes("--help")) {
  process.stdout.write(help);
  process.exit(0);
}
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
  if (process.argv.includes("price")) {
    benchPrice(measurements, priceOptions());
    return;
  }
  if (process.argv.includes("dev")) return benchDev(measurements, { recording: isThere ? solo : undefined, directory });
  if (process.argv.includes("light")) return benchLight(measurements);
  if (process.argv.includes("disk")) {
    const mix = optionOf("--mix") === "transfers" ? "transfers" : "mixed";
    const disk = { blocks: Number(optionOf("--blocks") ?? 1000), mix, keepIn: optionOf("--keep") } as const;
    return benchDisk(measurements, directory, disk);
  }
  if (process.argv.includes("first-query"))
    return benchFirstQuery(measurements, { directory, rounds: Number(optionOf("--rounds") ?? 20) });
  if (process.argv.includes("floors")) {
    const [mergedBlocks, rounds] = [Number(optionOf("--blocks") ?? 50), Number(optionOf("--rounds") ?? 15)];
    await benchRecordedFloors(measurements, 3);
    return benchFloors(measurements, { rounds, mergedBlocks });
  }
  if (process.argv.includes("validators"))
    return benchValidators(measurements, { blocks: Number(optionOf("--blocks") ?? 200), parents: [1, 3, 10] });
  if (process.argv.includes("height")) {
    const [blocks, rounds] = [Number(optionOf("--blocks") ?? 100_000), Number(optionOf("--rounds") ?? 3)];
    return benchHeight(measurements, { directory, heights: [100, blocks], rounds });
  }
  if (process.argv.includes("replica")) {
    const [blocks, rounds] = [Number(optionOf("--blocks") ?? 1_000), Number(optionOf("--rounds") ?? 3)];
    const mix = optionOf("--mix") === "mixed" ? "mixed" : "busy";
    return benchReplica(measurements, { directory, blocks, rounds, mix });
  }
  if (process.argv.includes("proof")) {
    const [blocks, rounds] = [Number(optionOf("--blocks") ?? 4_000), Number(optionOf("--rounds") ?? 3)];
    return benchProof(measurements, { directory, blocks, rounds });
  }
  if (process.argv.includes("join")) {
    const [blocks, since] = [Number(optionOf("--blocks") ?? 100_000), Number(optionOf("--since") ?? 1_800)];
    const progress = (made: number) => process.stderr.write(`${made} of ${blocks} blocks are made\n`);
    return benchJoin(measurements, { directory, blocks, since, progress, rounds: Number(optionOf("--rounds") ?? 3) });
  }
  if (process.argv.includes("snapshot"))
    return benchSnapshot(measurements, directory, Number(optionOf("--megabytes") ?? 300));
  if (process.argv.includes("index")) {
    const [blocks, rounds] = [Number(optionOf("--blocks") ?? 50_000), Number(optionOf("--rounds") ?? 3)];
    if (blocks > 0) await benchIndex(measurements, { directory, blocks });
    if (rounds > 0) await benchIndexedReplay(measurements, { directory, rounds });
    return;
  }
  if (process.argv.includes("sync")) {
    const recordings = isThere ? [{ name: "solo", folder: solo }] : [];
    if (!isThere) measurements.skip("replay of solo", `${solo} is not there`);
    const [blocks, rounds] = [Number(optionOf("--blocks") ?? 100_000), Number(optionOf("--rounds") ?? 3)];
    return benchSync(measurements, { recordings, blocks, rounds, directory });
  }
  if (!process.argv.includes("api")) await benchParts(solo, isThere);
  if (isThere) await benchApi(measurements, { recording: solo, ...apiOptions() });
  else measurements.skip("requests to a node", `${solo} is not there`);
}

/** Measures the parts within this process. */
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
  const payers = ["u1", "u2", "u3", "u4"];
  const genesis = await makeOwnGenesis(measurements, { validators: ["v1"], payers }, directory);
  await benchProposing(measurements, { name: "our own contracts", genesis, validator: "v1", payers }, directory);
  await benchEvents(measurements);
  await benchHistory(measurements, directory);
  benchSignatures(measurements);
  benchLanguage(measurements);
  await benchRecordedFloors(measurements, 2);
}

function apiOptions(): Pick<ApiBenchOptions, "only" | "rounds"> {
  const only = optionOf("--only");
  return { only: only === undefined ? undefined : new RegExp(only), rounds: Number(optionOf("--rounds") ?? 1) };
}

function priceOptions(): PriceOptions {
  const [only, dialect] = [optionOf("--only"), optionOf("--dialect")];
  if (dialect !== undefined && dialect !== "rnode" && dialect !== "f1r3node")
    throw new Error(`unknown dialect ${dialect}: expected rnode or f1r3node`);
  const longestMs = Number(optionOf("--longest") ?? 1_000);
  return { only: only === undefined ? undefined : new RegExp(only), dialect, longestMs };
}

function memoryOptions(): Pick<MemoryBenchOptions, "only" | "quietMs"> {
  const [only, quiet] = [optionOf("--only"), optionOf("--quiet")];
  return {
    only: only === undefined ? undefined : new RegExp(only),
    quietMs: quiet === undefined ? undefined : Number(quiet) * 1000,
  };
}

function optionOf(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** The folder with rnode's recordings, beside the checkout. */
function sharedPath(): string {
  const checkout = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..");
  return process.env["VEDETTE_SHARED"] ?? join(checkout, "..", "shared");
}
