import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fastFolder, type PowerCut, placeDisk, powerCuts, recordProgram } from "@vedette/testing";
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { tablesOf } from "../tables.js";
import { contentAfter, contentOf, transactions, transactionsIn, work } from "./powerCutWork.js";

const program = fileURLToPath(new URL("../../dist/testing/powerCutChild.js", import.meta.url));

/**
 * Opens `count` disks that a loss of power leaves of a store. Each must hold the content after some whole transaction,
 * must miss none that had returned, and must take the rest of them.
 *
 * @throws TypeError which names the first that does not, with its seed
 * @returns how many transactions of those that had begun were found, and how many were lost
 */
export async function checkPowerCuts(count: number, seed: number): Promise<{ readonly kept: number; lost: number }> {
  const record = recordProgram(program);
  const folder = mkdtempSync(join(fastFolder, "vedette-cut-"));
  const contents = Array.from({ length: transactions + 1 }, (_, number) => contentAfter(number));
  const found = { kept: 0, lost: 0 };
  try {
    for (const cut of powerCuts(record, count, seed)) {
      const disk = join(folder, "disk");
      placeDisk(disk, cut.content);
      const number = await checkCut(cut, disk, contents).catch((cause: unknown) => {
        throw new TypeError(`the disk of seed ${cut.seed}, at step ${cut.at} of ${record.steps.length}: ${cause}`, {
          cause,
        });
      });
      if (number > Number(cut.promised.at(-1) ?? 0)) found.kept += 1;
      else found.lost += 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return found;
}

async function checkCut(
  { promised }: PowerCut,
  disk: string,
  contents: readonly ReadonlyMap<string, Uint8Array>[],
): Promise<number> {
  await using store = new LmdbStore(join(disk, "data", "chain"), { tables: tablesOf("chain") });
  const number = transactionsIn(store);
  const lowest = Number(promised.at(-1) ?? 0);
  if (number < lowest || number > lowest + 1) throw new TypeError(`${number} transactions of ${lowest} are there`);
  compare(contentOf(store), contents[number]!);
  work(store, () => {});
  compare(contentOf(store), contents[transactions]!);
  return number;
}

function compare(found: ReadonlyMap<string, Uint8Array>, expected: ReadonlyMap<string, Uint8Array>): void {
  if (found.size !== expected.size) throw new TypeError(`${found.size} entries instead of ${expected.size}`);
  for (const [key, value] of expected) {
    const there = found.get(key);
    if (there === undefined || Buffer.compare(there, value) !== 0) throw new TypeError(`${key} is another one`);
  }
}
