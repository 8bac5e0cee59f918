import type { BlockMetadata, Chain, DagView } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { StateRoots } from "../state/StateRoots.js";
import { BlockQueries } from "./BlockQueries.js";

const blockOf = (last: number) => {
  const hash = new Uint8Array(32).fill(0xab);
  hash[31] = last;
  return { hash, number: 1n, postStateHash: new Uint8Array(32) } as unknown as BlockMetadata;
};
const all = [blockOf(1), blockOf(2)];
const dag = {
  nextBlockNumber: () => 2n,
  blocksByPrefix: (prefix: string, most: number) =>
    all.filter(({ hash }) => toHex(hash).startsWith(prefix)).slice(0, most),
} as unknown as DagView;

const oneOf = (view: DagView) => ({ ...view, blocksByPrefix: () => [all[1]!] }) as unknown as DagView;

test("the first digits of a hash name a block; where several begin so, the error lists all", () => {
  const queries = new BlockQueries({ dag, blocks: {} } as unknown as Chain, 50);
  expect(() => queries.requireBlock("ABABAB")).toThrow(
    `Error: Several blocks have a hash that begins with ABABAB: ${all.map(({ hash }) => toHex(hash)).join(", ")}`,
  );
  expect(() => queries.requireBlock("abcdef")).toThrow("Error: Failure to find block with hash: abcdef");
  expect(new BlockQueries({ dag: oneOf(dag), blocks: {} } as unknown as Chain, 50).requireBlock("ababab")).toBe(all[1]);
});

test("so it is with the states of blocks", () => {
  const roots = new StateRoots(dag, async () => []);
  expect(() => roots.state("abababab", "post", "query.block")).toThrow(
    `query.block begins several blocks' hashes: ${all.map(({ hash }) => toHex(hash)).join(", ")}.`,
  );
  const { block } = new StateRoots(oneOf(dag), async () => []).state("ababab", "post", "query.block");
  expect(block).toBe(all[1]);
  expect(() => roots.state("abcdef", "post", "query.block")).toThrow("This node has no block abcdef");
});
