import { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { testGenesis } from "../testing/ProposeNetwork.js";
import { approvedFactsOf, isOfInterest } from "./interest.js";

const genesis = testGenesis({ v1: 1 });
const facts = { shardId: "Root", version: 1n, number: 5n };
const blockWith = (shardId: string, version: bigint, blockNumber: bigint) =>
  new Block({
    ...genesis,
    shardId,
    header: { ...genesis.header, version },
    body: { ...genesis.body, state: { ...genesis.body.state, blockNumber } },
  });

test("a block of the shard, in any case of letters, of the version, and not below the approved block is of interest", () => {
  expect(isOfInterest(genesis, approvedFactsOf(genesis))).toBe(true);
  for (const shardId of ["Root", "root", "ROOT"]) expect(isOfInterest(blockWith(shardId, 1n, 5n), facts)).toBe(true);
  expect(isOfInterest(blockWith("root", 1n, 900n), facts)).toBe(true);
});

test("one of another shard, of another version, or from before the approved block is not", () => {
  for (const shardId of ["", "root/", "root2", "r".repeat(100_000)])
    expect(isOfInterest(blockWith(shardId, 1n, 5n), facts)).toBe(false);
  expect(isOfInterest(blockWith("root", 2n, 5n), facts)).toBe(false);
  expect(isOfInterest(blockWith("root", 1n, 4n), facts)).toBe(false);
});
