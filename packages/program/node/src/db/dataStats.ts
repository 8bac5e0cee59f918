import { readForgotten } from "@vedette/tuplespace";
import type { OfflineData } from "./OfflineData.js";

/** The content of a data directory, and its size. */
export interface DataStats {
  readonly path: string;
  readonly blocks: number;
  /** Lowest valid block; `undefined` without one. */
  readonly lowestHeight: bigint | undefined;
  readonly highestHeight: bigint | undefined;
  readonly finalHeight: bigint | undefined;
  /** The height below which states were forgotten; `undefined` where none was. */
  readonly statesFrom: bigint | undefined;
  readonly environments: readonly EnvironmentStats[];
}

/** One file. Sizes are whole pages, in bytes. */
export interface EnvironmentStats {
  readonly name: "chain" | "state";
  readonly fileBytes: number;
  readonly freeBytes: number;
  readonly tables: readonly { readonly name: string; readonly entries: number; readonly sizeBytes: number }[];
}

/** Counts what is in a data directory. */
export function dataStats({ path, chain, state, dag }: OfflineData): DataStats {
  const next = dag.nextBlockNumber();
  const [lowest] = [...dag.blocksByHeight(0n, next, 1)];
  return {
    path,
    blocks: chain.table("blockMetadata").count(),
    lowestHeight: lowest?.height,
    highestHeight: next === 0n ? undefined : next - 1n,
    finalHeight: dag.lastFinalized()?.number,
    statesFrom: readForgotten(state.table("roots")),
    environments: [["chain", chain] as const, ["state", state] as const].map(([name, store]) => {
      const { fileBytes, freeBytes, tables } = store.usage();
      return { name, fileBytes, freeBytes, tables: [...tables].map(([table, usage]) => ({ name: table, ...usage })) };
    }),
  };
}
