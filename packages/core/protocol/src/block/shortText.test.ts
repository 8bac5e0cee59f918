import { emptyBytes } from "@vedette/crypto";
import { expect, test } from "vitest";
import { Block, type BlockFields } from "./Block.js";
import { hashList, longBlock, shortBlock, shortHash } from "./shortText.js";

const filled = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte);
const fields: BlockFields = {
  hash: filled(0xab),
  header: { parents: [filled(0x11)], timestamp: 0n, version: 1n, extraBytes: emptyBytes },
  body: {
    state: { preStateHash: filled(2), postStateHash: filled(3), bonds: [], blockNumber: 7n },
    deploys: [],
    systemDeploys: [],
    extraBytes: emptyBytes,
    rejectedDeploys: [],
  },
  justifications: [],
  sender: filled(4, 65),
  sequenceNumber: 1,
  signature: emptyBytes,
  signatureAlgorithm: "",
  shardId: "a-long-shard-name",
  extraBytes: emptyBytes,
};

test("texts of a block", () => {
  const block = new Block(fields);
  expect(shortHash(filled(1, 5))).toBe("0101010101");
  expect(shortBlock(block)).toBe("#7 (ababababab...)");
  expect(longBlock(block)).toBe(
    "Block #7 (ababababab...) -- Sender ID 0404040404... -- M Parent Hash 1111111111... -- Contents 0303030303...-- Shard ID a-long-sha",
  );
  expect(hashList([filled(1), filled(2)])).toBe("[0101010101... 0202020202...]");
  expect(shortBlock(new Block({ ...fields, header: { ...fields.header, parents: [] } }))).toBe(
    "Block #7 (ababababab...) with empty parents (supposedly genesis)",
  );
});
