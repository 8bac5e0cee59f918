import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkpoints that the program was released with. */
const releaseFolder = fileURLToPath(new URL("../../../../../checkpoints", import.meta.url));

/** Returns the names of the networks of which a folder has a checkpoint, each with the path of its file. */
export function releasedCheckpoints(folder = releaseFolder): ReadonlyMap<string, string> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  return new Map(files.sort().map((name) => [basename(name, ".json"), join(folder, name)]));
}

/** Returns the path of the checkpoint that a user gives by its path, or by the name of a network of the release. */
export function checkpointPath(given: string, folder = releaseFolder): string {
  return existsSync(given) ? given : (releasedCheckpoints(folder).get(given) ?? given);
}
