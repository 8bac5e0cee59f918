// A program of its own that is killed: node killedChild.js <data directory> <stage> <file of the world> <promises>
// It checks what the earlier ones left and promised, then goes on with the work and prints its promises, a line each.
import { existsSync, readFileSync } from "node:fs";
import { checkPromises, checkSame, checkWhole, contentOf } from "./diskCheck.js";
import { type DiskStage, work } from "./diskWork.js";
import { readDiskWorld } from "./diskWorld.js";

const [path = "", stage = "", worldPath = "", promisesPath = "", expectedPath = ""] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);
const lines = existsSync(promisesPath) ? readFileSync(promisesPath, "utf8").split("\n") : [];
const promises = lines.filter((line) => line !== "");

// A stage loads what it needs alone: most of a short life goes into that.
if (stage === "index") {
  const { workOnIndex } = await import("./IndexedNode.js");
  await workOnIndex(path, promises, print);
} else if (stage === "packing") {
  const { workOnPacking } = await import("./PackingNode.js");
  await workOnPacking(path, promises, print);
} else {
  const { DiskNode } = await import("./DiskNode.js");
  const world = readDiskWorld(worldPath);
  await using node = await DiskNode.open(path, world.dialect);
  checkPromises(node, promises);
  checkWhole(node);
  print("ready");
  await work(stage as DiskStage, node, world, print);
  checkSame(contentOf(node), JSON.parse(readFileSync(expectedPath, "utf8")));
}
print("done");
