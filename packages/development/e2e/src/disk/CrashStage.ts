import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { seededRandom } from "@vedette/testing";
import { bundledProgram } from "./bundledProgram.js";
import { undisturbed } from "./diskStates.js";
import type { DiskStage } from "./diskWork.js";
import { type DiskFixture, writeDiskWorld } from "./diskWorld.js";

const module = fileURLToPath(new URL("../../dist/disk/killedChild.js", import.meta.url));
// Most of a short life is loading, and much of that would be collecting garbage.
const nodeOptions = ["--max-semi-space-size=32"];
/** A program is killed at most so long after the promise that is chosen: less than the work of a block takes. */
const longestMs = 40;

/** Made once, since others may be loading it. */
let bundle: Promise<string> | undefined;

/** What a node is busy with when it is killed. */
export type CrashStage = DiskStage | (typeof longChainStages)[number];

/** Stages on a long chain whose blocks are not executed; each stage knows what must be there. */
export const longChainStages = ["index", "packing"] as const;

/**
 * A program may keep less than so many promises before it is killed: few enough that most are killed before the end,
 * and enough that the end is reached. By promises, since time is another one on each machine.
 */
const maxPromises: Readonly<Record<CrashStage, number>> = {
  replay: 8,
  propose: 18,
  merge: 8,
  "state import": 90,
  index: 70,
  packing: 20,
};

/** How often a stage's program was killed, and how often it came to the end. */
export interface StageKills {
  readonly kills: number;
  readonly ends: number;
}

/**
 * Kills the program of a stage so often, each time at another moment, and starts it again on what the last one left.
 *
 * @throws TypeError with what the program says when it does not find what was promised, or ends with another content
 */
export async function killStage(
  folder: string,
  stage: CrashStage,
  world: DiskFixture,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<StageKills> {
  const random = seededRandom(seed);
  const place = join(folder, `${world.dialect}-${stage.replace(" ", "-")}`);
  const files = ["data", "world.json", "promises", "expected.json"].map((name) => join(place, name));
  const [data, worldPath, promises, expected] = files as [string, string, string, string];
  mkdirSync(place);
  writeDiskWorld(worldPath, world);
  if (stage !== "index" && stage !== "packing")
    writeFileSync(expected, JSON.stringify(await undisturbed(join(place, "undisturbed"), stage, world)));
  const program = await (bundle ??= bundledProgram(module));
  const done = { kills: 0, ends: 0 };
  while (done.kills < kills) {
    const outcome = await runOnce([program, data, stage, worldPath, promises, expected], {
      promises,
      kept: Math.floor(random() * maxPromises[stage]),
      afterMs: random() * longestMs,
    });
    if (outcome === "killed") {
      done.kills += 1;
      continue;
    }
    if (outcome !== "done") throw new TypeError(`after ${done.kills} kills of seed ${seed} amid ${stage}: ${outcome}`);
    done.ends += 1;
    for (const path of [data, promises]) rmSync(path, { recursive: true, force: true });
  }
  return done;
}

interface Moment {
  /** Where the promises go. */
  readonly promises: string;
  /** After so many of them. */
  readonly kept: number;
  readonly afterMs: number;
}

/** @returns `killed`, `done`, or what went wrong */
async function runOnce(args: readonly string[], { promises, kept, afterMs }: Moment): Promise<string> {
  const child = spawn(process.execPath, [...nodeOptions, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  let isDone = false;
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "done") isDone = true;
    else if (line !== "ready") appendFileSync(promises, `${line}\n`);
    // The first line is no promise: from there on it works.
    if (lines === kept) setTimeout(() => child.kill("SIGKILL"), afterMs);
    lines += 1;
  }
  const [code, signal] = await exited;
  // Nothing was left to do.
  if (isDone) return "done";
  return signal === "SIGKILL" && code === null ? "killed" : errors;
}
