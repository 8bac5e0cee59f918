import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { findRecordings } from "./findRecordings.js";
import { usualCases } from "./usualCases.js";

const vectorsFolder = fileURLToPath(new URL("../../../../vectors", import.meta.url));

/** The chains in the repository, on a genesis of our own contracts; the second is of f1r3node. */
export const ownChain = "own";
export const ownF1r3nodeChain = "own-r";

/** Whether the recordings of rnode nodes are there. Tests that need them are defined only then. */
export const areRecordingsThere = findRecordings() !== undefined;

/** The node that answered a set of vectors. */
export type VectorSet = "rnode" | "f1r3node";

/** The subject of a file of vectors; the name of each file begins with it. */
export type VectorFileKind = "parse" | "eval" | "match" | "state" | "system-deploys" | "forkchoice";

/**
 * Reads all recorded answers of one kind.
 *
 * @returns one object for each line of the files, in the order of the files' paths
 */
export function* readVectors<Vector>(set: VectorSet, kind: VectorFileKind): Generator<Vector> {
  const folder = join(vectorsFolder, set);
  const isOfKind = (name: string) => name.endsWith(".jsonl.gz") && new RegExp(`(^|/)${kind}[^/]*$`).test(name);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isOfKind).sort()) {
    for (const line of gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .split("\n"))
      if (line !== "") yield JSON.parse(line) as Vector;
  }
}

/** Returns the programs in a set of vectors, each once. */
export function vectorPrograms(
  set: VectorSet,
  kinds: readonly VectorFileKind[] = ["parse", "eval", "state"],
): ReadonlySet<string> {
  const terms = kinds.flatMap((kind) => [...readVectors<{ readonly term: string }>(set, kind)].map(({ term }) => term));
  return new Set(terms);
}

/** {@link ownChain}, and those of rnode's chains that are named, where the recordings are. */
export function chainsThatAreThere(...recorded: readonly string[]): readonly string[] {
  return areRecordingsThere ? [ownChain, ...recorded] : [ownChain];
}

/** {@link ownChain}, and the last of rnode's chains that are named; all of them where all cases are tried. */
export function usualChains(...recorded: readonly string[]): readonly string[] {
  return chainsThatAreThere(...usualCases(recorded));
}

/**
 * Returns the folder of a chain, our own or a recorded one; those of f1r3node are named `…-r`.
 *
 * @throws Error for a recorded chain when the recordings are not there
 */
export function chainDirectory(chain: string): string {
  if (chain === ownChain || chain === ownF1r3nodeChain) return join(vectorsFolder, "chains", chain);
  return join(recordedDirectory(chain.endsWith("-r") ? "chains-r" : "chains"), chain);
}

/**
 * Reads a file of a chain, compressed or not.
 *
 * @param name without `.gz`
 */
export function readChainFile(chain: string, name: string): Uint8Array {
  const path = join(chainDirectory(chain), name);
  return Uint8Array.from(existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`)));
}

/**
 * Returns a folder of recordings of rnode nodes. Only test files named `*.recorded.*` need one; they are left
 * out of a run without recordings.
 *
 * @throws Error when the recordings are not there
 */
export function recordedDirectory(name: "chains" | "chains-r" | "api"): string {
  const recordings = findRecordings();
  if (recordings === undefined) throw new Error("the recordings of rnode nodes are not there");
  return join(recordings, name);
}
