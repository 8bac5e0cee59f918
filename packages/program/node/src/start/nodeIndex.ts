import { availableParallelism, hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "@vedette/config";
import { lineOf } from "@vedette/config/log";
import { type IndexLocation, type LocalFeed, NodeIndex } from "@vedette/indexer";
import { makeFolders } from "../machine/makeFolders.js";
import { indexLines } from "../observe/indexLines.js";
import type { NodeParts } from "./NodeParts.js";

/**
 * With fewer cores an index beside a node that catches up costs it a quarter of its speed, and makes each block of it
 * several times as expensive as afterwards, when all facts about the block are known at once.
 */
const coresForBoth = 4;

/**
 * The index of a node, where one is wanted; it does not write yet.
 *
 * @param isFarBehind whether the node has many blocks to execute
 * @spec 60 §1
 */
export function nodeIndexOf(parts: NodeParts, feed: LocalFeed, isFarBehind: () => boolean): NodeIndex | undefined {
  const { config, directory, room, log } = parts;
  if (!config["index.enabled"]) return undefined;
  return new NodeIndex({
    place: indexPlaceOf(config, directory.path),
    feed,
    isPartial: config["index.partial"],
    isBusy: () => !room.isOpen || (availableParallelism() < coresForBoth && isFarBehind()),
    emit: (event) => {
      const line = lineOf(indexLines, event);
      if (line !== undefined) log(line);
    },
  });
}

/** Returns the place of a node's index. @throws the file system's error */
function indexPlaceOf(config: Config, dataDirectory: string): IndexLocation {
  const url = config["index.postgres.url"];
  // One of several nodes writes: the name is the same after a restart.
  const writer = `${hostname()} ${resolve(dataDirectory)}`;
  if (url !== undefined) return { kind: "postgres", url, schema: config["index.postgres.schema"], writer };
  const folder = join(dataDirectory, "index");
  makeFolders(folder);
  return { kind: "sqlite", path: join(folder, "index.sqlite") };
}
