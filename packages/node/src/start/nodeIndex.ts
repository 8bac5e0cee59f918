import { join } from "node:path";
import type { Config } from "@vedette/config";
import { type IndexPlace, type LocalFeed, NodeIndex } from "@vedette/indexer";
import { lineOf } from "@vedette/log";
import { makeFolders } from "../machine/makeFolders.js";
import { indexLines } from "../observe/indexLines.js";
import type { NodeParts } from "./NodeParts.js";

/** The index of a node, where one is wanted; it does not write yet. @spec 60 §1 */
export function nodeIndexOf(parts: NodeParts, feed: LocalFeed): NodeIndex | undefined {
  const { config, directory, log } = parts;
  if (!config["index.enabled"]) return undefined;
  return new NodeIndex({
    place: indexPlaceOf(config, directory.path),
    feed,
    emit: (event) => {
      const line = lineOf(indexLines, event);
      if (line !== undefined) log(line);
    },
  });
}

/** Where a node keeps its index. @throws what the file system says */
export function indexPlaceOf(config: Config, dataDirectory: string): IndexPlace {
  const url = config["index.postgres.url"];
  if (url !== undefined) return { kind: "postgres", url, schema: config["index.postgres.schema"] };
  const folder = join(dataDirectory, "index");
  makeFolders(folder);
  return { kind: "sqlite", path: join(folder, "index.sqlite") };
}
