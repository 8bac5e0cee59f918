import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex } from "@vedette/crypto";
import { decodeStoreItems, type StoreItems } from "@vedette/protocol";
import { chainDirectory, chainsThatAreThere } from "@vedette/testing";

/** One recorded export of a chain's state, with the root that it must have. */
export interface RecordedState {
  readonly name: string;
  readonly root: Uint8Array;
  readonly pages: readonly StoreItems[];
}

/** Names of the states that are there: `<chain>/genesis` and `<chain>/lfb`. */
export function recordedStateNames(): string[] {
  return chainsThatAreThere("solo", "trio", "merge", "equivocation-v1", "equivocation-v3b").flatMap((chain) => [
    `${chain}/genesis`,
    `${chain}/lfb`,
  ]);
}

export function readRecordedState(name: string): RecordedState {
  const [chain, which] = name.split("/") as [string, "genesis" | "lfb"];
  const folder = chainDirectory(chain);
  const blocks = readFileSync(join(folder, "blocks.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { hash: string; postState: string });
  const dag = JSON.parse(readFileSync(join(folder, "dag.json"), "utf8")) as { lastFinalizedBlock: string };
  const block = which === "genesis" ? blocks[0]! : blocks.find(({ hash }) => hash === dag.lastFinalizedBlock)!;
  const pages = readFrames(readFileSync(join(folder, `state-${which}.bin`))).map(decodeStoreItems);
  return { name, root: fromHex(block.postState), pages };
}

function readFrames(file: Buffer): Uint8Array[] {
  const frames: Uint8Array[] = [];
  let offset = 0;
  while (offset < file.length) {
    const length = file.readUInt32BE(offset);
    frames.push(Uint8Array.from(file.subarray(offset + 4, offset + 4 + length)));
    offset += 4 + length;
  }
  return frames;
}
