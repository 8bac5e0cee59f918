import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex } from "@vedette/crypto";
import { decodeStoreItems, type StoreItems } from "@vedette/protocol";

/** One recorded export of a chain's state, with the root that it must have. */
export interface RecordedState {
  readonly name: string;
  readonly root: Uint8Array;
  readonly pages: readonly StoreItems[];
}

/** Names of the recorded states: `<chain>/genesis` and `<chain>/lfb`. */
export function recordedStateNames(chains: string): string[] {
  return readdirSync(chains, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(chains, entry.name, "state-lfb.bin")))
    .flatMap(({ name }) => [`${name}/genesis`, `${name}/lfb`]);
}

export function readRecordedState(chains: string, name: string): RecordedState {
  const [chain, which] = name.split("/") as [string, "genesis" | "lfb"];
  const blocks = readFileSync(join(chains, chain, "blocks.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { hash: string; postState: string });
  const dag = JSON.parse(readFileSync(join(chains, chain, "dag.json"), "utf8")) as { lastFinalizedBlock: string };
  const block = which === "genesis" ? blocks[0]! : blocks.find(({ hash }) => hash === dag.lastFinalizedBlock)!;
  const pages = readFrames(readFileSync(join(chains, chain, `state-${which}.bin`))).map(decodeStoreItems);
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
