import { rmSync } from "node:fs";
import { join } from "node:path";
import { checkSignature } from "@vedette/chain";
import { blake2b256 } from "@vedette/crypto";
import { openDataDirectory } from "@vedette/node/machine";
import { RecordedChain } from "@vedette/node/replay";
import { checkDeploySignatures, decodeBlock, encodeBlock, rnode } from "@vedette/protocol";
import { LmdbStore, type TableName, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";

/** Work that every replay of a chain must do, in milliseconds of processor time for the whole chain. */
export interface LowerBound {
  /** Blocks are read from their bytes, and written as bytes once, for their hash. */
  readonly codec: number;
  /** One for each block and deploy. */
  readonly signatures: number;
  /** Hashes of blocks, nodes, leaves, and three 32-byte names for each event. */
  readonly hashes: number;
  /** The same bytes, put in two transactions a block. */
  readonly commits: number;
}

const hashesOfEvent = 3;
const nameBytes = 32;

/**
 * Measures the work that a replay cannot avoid, with the same libraries and nothing else.
 *
 * @param folder of the recorded chain
 * @param dataDir where it has been replayed
 * @param scratch path that does not exist yet; removed at the end
 */
export async function floorOf(folder: string, dataDir: string, scratch: string): Promise<LowerBound> {
  const floor = { codec: 0, signatures: 0, hashes: 0, commits: 0 };
  const timed = (part: keyof LowerBound, work: () => void) => {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    floor[part] += (user + system) / 1000;
  };
  let blocks = 0;
  const name = new Uint8Array(nameBytes).fill(1);
  const encoded: Uint8Array[] = [];
  for (const block of new RecordedChain(folder).blocks()) {
    blocks += 1;
    const bytes = encodeBlock(block);
    encoded.push(bytes);
    timed("codec", () => encodeBlock(decodeBlock(bytes, rnode.blockForm)));
    timed("signatures", () => {
      if (block.parents.length > 0) checkSignature(block, rnode);
      checkDeploySignatures(block, rnode);
    });
    timed("hashes", () => {
      blake2b256(bytes);
      for (const { log } of [...block.body.deploys, ...block.body.systemDeploys])
        for (let index = 0; index < hashesOfEvent * log.length; index += 1) blake2b256(name);
    });
  }
  await using directory = await openDataDirectory(dataDir, rnode.name);
  await using state = new LmdbStore(directory.state, { tables: tablesOf("state") });
  const puts: (readonly [TableName, Uint8Array, Uint8Array])[] = [];
  for (const table of ["history", "changedHistory", "cold"] as const)
    for (const [key, value] of state.table(table).range()) puts.push([table, key, value]);
  const reader = new StateStore(state);
  for (const [table, key, value] of puts) {
    const whole = table === "changedHistory" ? reader.nodeBytes(key)! : value;
    timed("hashes", () => blake2b256(whole));
  }
  await using sink = new LmdbStore(scratch, { tables: [...tablesOf("state"), "blocks"] });
  const share = Math.ceil(puts.length / blocks);
  timed("commits", () => {
    for (let block = 0; block < blocks; block += 1) {
      sink.write((tables) => {
        for (const [table, key, value] of puts.slice(block * share, (block + 1) * share)) tables(table).put(key, value);
      });
      const bytes = encoded[block]!;
      sink.write((tables) => tables("blocks").put(name.with(0, block % 256).with(1, (block >> 8) % 256), bytes));
    }
  });
  await sink.close();
  rmSync(scratch, { recursive: true, force: true });
  return floor;
}

/** The folder in which a floor's commits are made. */
export function scratchIn(folder: string): string {
  return join(folder, "floor");
}
