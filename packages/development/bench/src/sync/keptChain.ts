import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeMixedChain } from "@vedette/e2e";
import type { Block } from "@vedette/protocol";
import type { Measurements } from "../Measurements.js";
import { makeOwnGenesis, mixedPeople } from "../ownGenesis.js";
import { Recording } from "./Recording.js";

const progressEvery = 1_000;
/** Counts up when what a chain is made of changes, so that one of an earlier make is not taken for it. */
const make = 1;

/**
 * A folder with a mixed chain as `replayChain` reads it: the one that an earlier run has made, or a new one.
 *
 * @param progress called now and then with the number of blocks
 */
export async function keptChain(
  measurements: Measurements,
  cache: string,
  blocks: number,
  progress: (made: number) => void,
): Promise<string> {
  const folder = join(cache, `mixed-${make}-${blocks}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const work = join(unfinished, "work");
  const genesis = await makeOwnGenesis(measurements, mixedPeople, work);
  {
    using recording = new Recording(unfinished);
    recording.add(genesis);
    const onBlock = (block: Block) => {
      recording.add(block);
      if (block.number % BigInt(progressEvery) === 0n) progress(Number(block.number));
    };
    await makeMixedChain(join(work, "chain"), genesis, { blocks, mix: "mixed", onBlock });
  }
  rmSync(work, { recursive: true });
  renameSync(unfinished, folder);
  return folder;
}
