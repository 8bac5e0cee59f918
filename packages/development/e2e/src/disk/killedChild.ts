// Run as a process that is killed, or has its disk filled up: node killedChild.js <data directory> <stage> <file of the
// world> <promises> <tables of an undisturbed run> It checks the data and promises of the earlier ones, then goes on
// with the work and prints its promises, a line each. If the disk is full it prints "full", and goes on when a line of
// its input announces room.
import { existsSync, readFileSync } from "node:fs";
import { isDiskFull } from "@vedette/store";
import { checkPromises, checkSame, checkWhole, contentOf } from "./diskCheck.js";
import { type DiskStage, work } from "./diskWork.js";
import { readDiskWorld } from "./diskWorld.js";

const [path = "", stage = "", worldPath = "", promisesPath = "", expectedPath = ""] = process.argv.slice(2);
const lines = existsSync(promisesPath) ? readFileSync(promisesPath, "utf8").split("\n") : [];
const promises = lines.filter((line) => line !== "");
const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  await doStage();
  print("done");
} catch (error) {
  if (!isOfFullDisk(error)) throw error;
  print("full");
}

// A stage loads what it needs alone: most of a short life goes into that.
async function doStage(): Promise<void> {
  if (stage === "index") {
    const { workOnIndex } = await import("./IndexedNode.js");
    return workOnIndex(path, promises, print);
  }
  if (stage === "packing") {
    const { workOnPacking } = await import("./PackingNode.js");
    return workOnPacking(path, promises, print);
  }
  const { DiskNode } = await import("./DiskNode.js");
  const world = readDiskWorld(worldPath);
  await using node = await DiskNode.open(path, world.dialect);
  const check = () => {
    checkPromises(node, promises);
    checkWhole(node);
  };
  check();
  print("ready");
  const promised = (line: string) => {
    promises.push(line);
    print(line);
  };
  while (!(await isDone(() => work(stage as DiskStage, node, world, promised)))) {
    check();
    print("full");
    if (!(await goesOn())) return process.exit();
    check();
  }
  checkSame(contentOf(node), JSON.parse(readFileSync(expectedPath, "utf8")));
}

/** Waits for what the starter decides: a line when there is room again, or the end of the input. */
async function goesOn(): Promise<boolean> {
  const { stdin } = process;
  const isLine = await new Promise<boolean>((resolve) => {
    stdin.once("data", () => resolve(true)).once("end", () => resolve(false));
    stdin.resume();
  });
  stdin.pause();
  return isLine;
}

/** @returns false where the disk is full */
async function isDone(action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (!isOfFullDisk(error)) throw error;
    return false;
  }
}

/** Also a block that could not be judged for that reason. */
function isOfFullDisk(error: unknown): boolean {
  return isDiskFull(error) || /The disk of .* free some space, nothing was lost/.test(String(error));
}
