import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
/** Vectors of our own, which lie in the repository. */
const ownVectors = join(checkout, "vectors");

/** The name of a small chain of our own, in the form of the recorded ones; it is always there. */
export const ownChain = "own";

/**
 * The folder with the reference's recorded answers, which lies beside the checkout and is not part of it.
 *
 * @returns its absolute path, or `undefined` where it does not exist; a suite then says that it is skipped
 */
export function sharedDirectory(): string | undefined {
  const shared = process.env["VEDETTE_SHARED"] ?? join(checkout, "..", "shared");
  return existsSync(join(shared, "vectors")) ? shared : undefined;
}

/** The golden vectors' folder; `undefined` as for {@link sharedDirectory}. */
export function vectorsDirectory(): string | undefined {
  const shared = sharedDirectory();
  return shared === undefined ? undefined : join(shared, "vectors");
}

/** Folders with vectors: our own, and the reference's where they are there. */
export function vectorsDirectories(): readonly string[] {
  const recorded = vectorsDirectory();
  return recorded === undefined ? [ownVectors] : [ownVectors, recorded];
}

/** The recorded chains' folder; `undefined` as for {@link sharedDirectory}. */
export function chainsDirectory(): string | undefined {
  const shared = sharedDirectory();
  return shared === undefined ? undefined : join(shared, "chains");
}

/** {@link ownChain}, and those of the reference's chains that are named, where they are there. */
export function chainsThatAreThere(...recorded: readonly string[]): readonly string[] {
  return chainsDirectory() === undefined ? [ownChain] : [ownChain, ...recorded];
}

/**
 * The folder of a chain, our own or a recorded one; those of the newer node are named `…-r`.
 *
 * @throws Error when the recorded chains are not there; ask {@link chainsThatAreThere} first
 */
export function chainDirectory(chain: string): string {
  if (chain === ownChain) return join(ownVectors, "chains", ownChain);
  const directory = chain.endsWith("-r") ? recordedDirectory("chains-r") : chainsDirectory();
  if (directory === undefined) throw new Error("the recorded chains are not beside this checkout");
  return join(directory, chain);
}

/** A folder of recorded answers beside those of {@link sharedDirectory}; `undefined` where it is not there. */
export function recordedDirectory(name: "vectors-r" | "chains-r"): string | undefined {
  const shared = sharedDirectory();
  const directory = shared === undefined ? undefined : join(shared, name);
  return directory !== undefined && existsSync(directory) ? directory : undefined;
}
