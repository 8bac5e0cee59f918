import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AskedIndex, askIndexHere, fillIndex, madeChain } from "@vedette/indexer/testing";

/** An index with some blocks, and the file that it is in. */
export interface MadeIndex {
  readonly index: AskedIndex;
  readonly path: string;
}

/** The newest ones are not. */
const finalBlocks = 7;

let made: Promise<MadeIndex> | undefined;

/** Made once in a thread, when it is first asked; its file goes with the thread. */
export function madeIndex(): Promise<MadeIndex> {
  return (made ??= make());
}

async function make(): Promise<MadeIndex> {
  const folder = mkdtempSync(join(tmpdir(), "vedette-fuzz-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const place = { kind: "sqlite", path: join(folder, "index.sqlite") } as const;
  await fillIndex(place, madeChain(), finalBlocks);
  return { index: await askIndexHere(place), path: place.path };
}
