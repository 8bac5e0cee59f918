import type { Chain } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import { AccountIndex, indexedBlock } from "@vedette/queries";
import { MemoryStore, type Store, type TableName, tablesOf } from "@vedette/store";
import { transfersIn } from "../node/LateTransfers.js";
import { SimulationFailure } from "./SimulationFailure.js";

const tables = ["historyBlocks", "historyOfAddress", "historyGaps"] as const satisfies readonly TableName[];

/** The index of accounts is, byte for byte, what a rebuild from the DAG's blocks is. @throws {SimulationFailure} */
export function checkAccounts(name: string, { chain, store }: { readonly chain: Chain; readonly store: Store }): void {
  const rebuilt = new MemoryStore(tablesOf("chain"));
  const index = new AccountIndex(rebuilt);
  for (const { hash } of chain.dag.blocksByHeight(0n, chain.dag.nextBlockNumber())) {
    const block = chain.blocks.find(hash);
    if (block === undefined) throw new SimulationFailure("an index is what a rebuild is", `${name} lacks a block`);
    index.add([indexedBlock(block, transfersIn(block))]);
  }
  for (const table of tables) {
    const [held, wanted] = [store, rebuilt].map((one) => [...one.table(table).range()]) as [Rows, Rows];
    const at = wanted.findIndex((row, place) => !isSame(row, held[place]));
    if (at < 0 && held.length === wanted.length) continue;
    const row = (at < 0 ? held[wanted.length] : wanted[at])!;
    throw new SimulationFailure(
      "an index is what a rebuild is",
      `${name}: ${table} has ${held.length} rows of ${wanted.length}; it differs at ${toHex(row[0])}`,
    );
  }
}

type Rows = (readonly [Uint8Array, Uint8Array])[];

function isSame(one: Rows[number], other: Rows[number] | undefined): boolean {
  return other !== undefined && equalBytes(one[0], other[0]) && equalBytes(one[1], other[1]);
}
