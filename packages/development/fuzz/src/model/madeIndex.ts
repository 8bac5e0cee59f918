import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillIndex, type IndexInProcess, madeChain, openIndexInProcess } from "@vedette/indexer/testing";

/** An index with some blocks, and the file that it is in. */
export interface SampleIndex {
  readonly index: IndexInProcess;
  readonly path: string;
}

/** The newest ones are not. */
const finalBlocks = 7;

let made: Promise<SampleIndex> | undefined;

let folder: string | undefined;

/** Made once in a thread, at the first use; its file goes with the thread, or by {@link removeMadeIndex}. */
export function madeIndex(): Promise<SampleIndex> {
  return (made ??= make());
}

async function make(): Promise<SampleIndex> {
  folder = mkdtempSync(join(tmpdir(), "vedette-fuzz-"));
  process.once("exit", removeMadeIndex);
  const place = { kind: "sqlite", path: join(folder, "index.sqlite") } as const;
  await fillIndex(place, madeChain(), finalBlocks);
  return { index: await openIndexInProcess(place), path: place.path };
}

/** Where a thread is ended without its last words. */
export function removeMadeIndex(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  [made, folder] = [undefined, undefined];
}
