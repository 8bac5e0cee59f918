import { join } from "node:path";
import { type Mix, makeMixedChain } from "@vedette/e2e";
import { LmdbStore, type StoreUsage, tablesOf } from "@vedette/store";
import type { Measurements } from "./Measurements.js";
import { makeOwnGenesis } from "./ownGenesis.js";

/** Measures the disk usage of a chain, table by table, for a block. */
export async function benchDisk(
  measurements: Measurements,
  directory: string,
  { blocks, mix, keepIn }: { readonly blocks: number; readonly mix: Mix; readonly keepIn?: string | undefined },
): Promise<void> {
  const payers = ["u1", "u2", "u3", "u4"];
  const genesis = await makeOwnGenesis(
    measurements,
    { validators: ["v1", "v2", "v3"], payers, epochLength: 1_000 },
    directory,
  );
  const [first, made] = [join(directory, "first"), keepIn ?? join(directory, "made")];
  await makeMixedChain(first, genesis, { blocks: 0, mix });
  const before = await sizesOf(first);
  const begunMs = performance.now();
  await makeMixedChain(made, genesis, { blocks, mix });
  measurements.add(`a chain of ${blocks} blocks (${mix})`, blocks / ((performance.now() - begunMs) / 1000), "blocks/s");
  for (const [name, sizeBytes] of await sizesOf(made))
    measurements.add(name, (sizeBytes - (before.get(name) ?? 0)) / blocks, "bytes a block");
}

async function sizesOf(dataDir: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const environment of ["chain", "state"] as const) {
    await using store = new LmdbStore(join(dataDir, environment), { tables: tablesOf(environment), readOnly: true });
    const usage: StoreUsage = store.usage();
    for (const [name, { sizeBytes }] of usage.tables) sizes.set(`${environment}, ${name}`, sizeBytes);
    sizes.set(`${environment}, file`, usage.fileBytes);
    sizes.set(`${environment}, of it free`, usage.freeBytes);
  }
  return sizes;
}
