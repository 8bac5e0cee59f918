import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DiskStep, readDiskSteps } from "./DiskStep.js";
import { type DiskContent, RecordedDisk } from "./RecordedDisk.js";
import { seededRandom } from "./seededRandom.js";

/** The steps of a program in its folder. */
export interface DiskRecord {
  /** The folder, which was empty. */
  readonly root: string;
  readonly steps: readonly DiskStep[];
}

/** A disk after a loss of power. */
export interface PowerCut {
  /** Steps that were done, or under way, when the power went. */
  readonly at: number;
  readonly seed: number;
  readonly content: DiskContent;
  /** The promises of the program by then, in order. */
  readonly promised: readonly string[];
}

/** Folder for disks of tests: in memory where the system has such a folder, since they need not last. */
export const fastFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const source = fileURLToPath(new URL("../../src/powerCut/writeRecorder.c", import.meta.url));

/** Why no program can be recorded here; `undefined` where it can. */
export function whyNotRecorded(): string | undefined {
  if (process.platform !== "linux") return "programs are recorded on Linux alone";
  return spawnSync("cc", ["--version"]).status === 0 ? undefined : "there is no C compiler";
}

/**
 * Runs a Node.js program with its writes recorded, and compares the record with the files that it left.
 *
 * @param module a compiled module; it is called with the folder to write into, which is there and empty, and `args`
 * @throws when it ends with another exit code than 0, and when the record does not lead to the files that are there
 */
export function recordProgram(module: string, args: readonly string[] = []): DiskRecord {
  const home = mkdtempSync(join(fastFolder, "vedette-record-"));
  try {
    const library = join(home, "writeRecorder.so");
    execFileSync("cc", ["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"]);
    const root = join(home, "disk");
    const trace = join(home, "trace");
    mkdirSync(root);
    const env = { ...process.env, LD_PRELOAD: library, VEDETTE_RECORD_ROOT: root, VEDETTE_RECORD_TRACE: trace };
    execFileSync(process.execPath, [module, root, ...args], { env, stdio: ["ignore", "inherit", "inherit"] });
    const record = { root, steps: readDiskSteps(trace) };
    checkComplete(record);
    return record;
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Whatever is not in the record would never be lost. */
function checkComplete({ root, steps }: DiskRecord): void {
  const disk = new RecordedDisk(root);
  for (const step of steps) disk.take(step);
  const recorded = disk.whole();
  for (const [path, content] of recorded)
    if (content !== undefined && Buffer.compare(readFileSync(join(root, path)), content) !== 0)
      throw new TypeError(`${path} is not as it was recorded`);
  const mapped = new Set(steps.flatMap((step) => (step.kind === "mapped" ? [step.path] : [])));
  for (const entry of readdirSync(root, { recursive: true }) as string[])
    if (!recorded.has(entry) && !mapped.has(join(root, entry)) && !statSync(join(root, entry)).isSocket())
      throw new TypeError(`${entry} was made without being recorded`);
}

/**
 * Disks that losses of power leave, at moments spread over all of a record: any part of what was not synced is there.
 *
 * @param seed the same seed gives the same disks
 */
export function* powerCuts({ root, steps }: DiskRecord, count: number, seed: number): Generator<PowerCut> {
  const random = seededRandom(seed);
  const moments = momentsOf(steps.length, count, random);
  const disk = new RecordedDisk(root);
  const promised: string[] = [];
  let done = 0;
  for (const [index, at] of moments.entries()) {
    for (; done <= at; done += 1) {
      const step = steps[done]!;
      // The step at the moment of the cut is unfinished: its sync has not returned, and its promise was not reported.
      if (done === at && (step.kind === "sync" || step.kind === "mark")) break;
      if (done === at && step.kind === "write" && step.isSynced) break;
      disk.take(step);
      if (step.kind === "mark") promised.push(...step.text.split("\n").filter((line) => line !== ""));
    }
    const cutSeed = seed * 1_000_003 + index;
    const content = disk.afterPowerCut(seededRandom(cutSeed), done === at ? steps[at] : undefined);
    yield { at, seed: cutSeed, content, promised: [...promised] };
  }
}

/** Spread over all steps, a quarter of them over the first ones, in which everything is made. */
function momentsOf(steps: number, count: number, random: () => number): number[] {
  const early = Math.min(steps, 100);
  const moments = Array.from({ length: count }, (_, index) => {
    const share = (index + random()) / count;
    return Math.floor(index % 4 === 0 ? share * early : share * steps);
  });
  return moments.sort((one, other) => one - other);
}

/** Writes a disk's content into a new folder, in place of an old one. */
export function placeDisk(folder: string, content: DiskContent): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, bytes] of content) {
    const place = join(folder, path);
    if (bytes === undefined) mkdirSync(place);
    else {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes, { mode: 0o600 });
    }
  }
}
