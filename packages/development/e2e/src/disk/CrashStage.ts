import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type SmallDisk, seededRandom } from "@vedette/testing";
import { rolldown } from "rolldown";
import { undisturbed } from "./diskStates.js";
import type { DiskStage } from "./diskWork.js";
import { type DiskFixture, writeDiskWorld } from "./diskWorld.js";

const module = fileURLToPath(new URL("../../dist/disk/killedChild.js", import.meta.url));
// Most of a short life is loading, and much of that would be collecting garbage.
const nodeOptions = ["--max-semi-space-size=32"];
/** A program is killed at most this long after the chosen promise: less than the work of a block takes. */
const longestMs = 40;
/** A disk that fills up keeps less room than this. */
const maxLeftBytes = 4 << 20;

/** Made once, since others may be loading it. */
let bundle: Promise<string> | undefined;

/** The work of a node when it is killed. */
export type CrashStage = DiskStage | (typeof longChainStages)[number];

/** Stages on a long chain of blocks that are not executed; each stage has its own requirements. */
export const longChainStages = ["index", "packing"] as const;

/**
 * A program may keep less than this many promises before it is killed: few enough that most are killed before the end,
 * and enough that the end is reached. By promises, since time differs between machines.
 */
const maxPromises: Readonly<Record<CrashStage, number>> = {
  replay: 8,
  propose: 18,
  merge: 8,
  "state import": 90,
  index: 70,
  packing: 20,
};

/** How often a stage's program was disturbed, and how often it came to the end. */
export interface StageRuns {
  readonly disturbed: number;
  readonly ends: number;
}

interface StageRequest {
  readonly count: number;
  readonly seed: number;
}

/**
 * Kills the program of a stage `count` times, each time at another moment, and starts it again on the data that the
 * last one left.
 *
 * @throws TypeError with the program's text when promised data are missing, or it ends with another content
 */
export function killStage(
  folder: string,
  stage: CrashStage,
  world: DiskFixture,
  request: StageRequest,
): Promise<StageRuns> {
  const use = { data: folder, disturb: (child: ChildProcess) => child.kill("SIGKILL") };
  return disturbStage(folder, stage, world, { ...request, ...use });
}

/**
 * Fills the disk of a stage's program repeatedly, each time at another moment and up to another byte, and makes room
 * when the program reports the disk full. Half of the programs go on, the others are started again.
 *
 * @throws TypeError as {@link killStage}, and if the program ends in another way
 */
export function fillStage(
  folder: string,
  stage: CrashStage,
  world: DiskFixture,
  { disk, ...request }: StageRequest & { readonly disk: SmallDisk },
): Promise<StageRuns> {
  const random = seededRandom(request.seed + 1);
  return disturbStage(folder, stage, world, {
    ...request,
    data: disk.path,
    disturb: () => disk.fill(random() < 0.3 ? 0 : Math.floor(random() ** 3 * maxLeftBytes)),
    onFull(child) {
      disk.empty();
      if (random() < 0.5) child.stdin!.write("\n");
      else child.stdin!.end();
    },
    onEnd: () => disk.empty(),
  });
}

interface Disturbance extends StageRequest {
  /** The folder in which the program has its data directory. */
  readonly data: string;
  disturb(child: ChildProcess): void;
  /** Called when the program reports that its disk is full. */
  onFull?(child: ChildProcess): void;
  onEnd?(): void;
}

async function disturbStage(
  folder: string,
  stage: CrashStage,
  world: DiskFixture,
  disturbance: Disturbance,
): Promise<StageRuns> {
  const { count, seed } = disturbance;
  const random = seededRandom(seed);
  const name = `${world.dialect}-${stage.replace(" ", "-")}`;
  const place = join(folder, name);
  const data = join(disturbance.data, `${name}-data`);
  const [worldPath, promises, expected] = ["world.json", "promises", "expected.json"].map((file) =>
    join(place, file),
  ) as [string, string, string];
  mkdirSync(place);
  writeDiskWorld(worldPath, world);
  if (stage !== "index" && stage !== "packing")
    writeFileSync(expected, JSON.stringify(await undisturbed(join(place, "undisturbed"), stage, world)));
  const program = await (bundle ??= bundledProgram(module));
  const done = { disturbed: 0, ends: 0 };
  while (done.disturbed < count) {
    const { end, disturbed } = await runOnce([program, data, stage, worldPath, promises, expected], disturbance, {
      promises,
      kept: Math.floor(random() * maxPromises[stage]),
      afterMs: random() * longestMs,
    });
    disturbance.onEnd?.();
    if (end !== "done" && end !== "disturbed")
      throw new TypeError(`after ${done.disturbed} of seed ${seed} amid ${stage}: ${end}`);
    if (disturbed) done.disturbed += 1;
    if (end === "disturbed") continue;
    done.ends += 1;
    for (const path of [data, promises]) rmSync(path, { recursive: true, force: true });
  }
  return done;
}

interface Moment {
  /** The file of the promises. */
  readonly promises: string;
  /** The number of kept promises. */
  readonly kept: number;
  readonly afterMs: number;
}

/** @returns `done`, `disturbed` where the program ended before the work was done, or what went wrong */
async function runOnce(
  args: readonly string[],
  { disturb, onFull }: Disturbance,
  { promises, kept, afterMs }: Moment,
): Promise<{ readonly end: string; readonly disturbed: boolean }> {
  const child = spawn(process.execPath, [...nodeOptions, ...args]);
  const exited = once(child, "exit");
  // The program may end before it reads.
  child.stdin.on("error", () => {});
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  const seen = { lines: 0, done: false, full: false };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "done") seen.done = true;
    else if (line === "full") {
      seen.full = true;
      onFull?.(child);
    } else if (line !== "ready") appendFileSync(promises, `${line}\n`);
    // The first line is no promise: from there on it works.
    if (seen.lines === kept) setTimeout(() => child.exitCode ?? disturb(child), afterMs);
    seen.lines += 1;
  }
  const [code, signal] = await exited;
  if (seen.done) return { end: "done", disturbed: seen.full };
  const isExpected = onFull === undefined ? signal === "SIGKILL" && code === null : code === 0 && seen.full;
  return { end: isExpected ? "disturbed" : `${errors} (code ${code}, signal ${signal})`, disturbed: true };
}

/**
 * The modules that become part of the bundle: our own, and others that consist of many small ones; not the package that
 * reads a file beside its modules.
 */
const bundled = /^([./#]|@vedette\/(?!config$)|@bufbuild\/|@noble\/)/;

/**
 * Makes one module of a compiled one and all of ours that it needs, beside it: a program that lives for a moment
 * spends most of its time on opening hundreds of modules.
 *
 * @returns the path of the program
 */
async function bundledProgram(module: string): Promise<string> {
  const folder = join(dirname(module), "bundle");
  await using bundle = await rolldown({ input: module, platform: "node", external: (id) => !bundled.test(id) });
  await bundle.write({ dir: folder, format: "esm" });
  return join(folder, basename(module));
}
