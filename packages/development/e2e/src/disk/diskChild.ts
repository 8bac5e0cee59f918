// A program with recorded writes: node diskChild.js <folder> <stage> <file of the world>
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { DiskNode } from "./DiskNode.js";
import { type DiskStage, work } from "./diskWork.js";
import { readDiskWorld } from "./diskWorld.js";

const [root = "", stage = "replay", worldPath = ""] = process.argv.slice(2);
const world = readDiskWorld(worldPath);
await using node = await DiskNode.open(join(root, "data"), world.dialect);
await work(stage as DiskStage, node, world, (line) => appendFileSync(`${root}.marks`, `${line}\n`));
