import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeBlock, f1r3node } from "@vedette/protocol";
import { lengthPrefixed, recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { lightBlockMessage } from "../grpc/blockMessages.js";
import { printJson } from "../json/printJson.js";
import { lightBlockInfo } from "./blockInfo.js";

const directory = recordedDirectory("chains-r");

const members =
  "blockHash sender seqNum sig sigAlgorithm shardId extraBytes version timestamp headerExtraBytes parentsHashList blockNumber preStateHash postStateHash bodyExtraBytes bonds blockSize deployCount faultTolerance justifications rejectedDeploys isFinalized";

test("a block of f1r3node has exactly the members that f1r3node sends", () => {
  const folder = join(directory, "trio-r");
  const lines = readFileSync(join(folder, "blocks.jsonl"), "utf8").trim().split("\n");
  let rejected = 0;
  for (const [index, bytes] of lengthPrefixed(readFileSync(join(folder, "blocks.bin"))).entries()) {
    const block = decodeBlock(bytes, f1r3node.blockForm);
    const recorded = JSON.parse(lines[index]!);
    for (const isFinalized of [true, false]) {
      const facts = { sizeBytes: bytes.length, faultTolerance: 0, isFinalized };
      const info = JSON.parse(printJson(lightBlockInfo(block, facts)));
      expect(Object.keys(info)).toEqual(members.split(" "));
      expect(info.isFinalized).toBe(isFinalized);
      const ids = recorded.rejectedDeploys.map(({ id }: Record<string, unknown>) => ({ sig: id }));
      expect(info.rejectedDeploys).toEqual(ids);
      expect(lightBlockMessage(block, facts).isFinalized).toBe(isFinalized);
      rejected += ids.length;
    }
  }
  expect(rejected).toBeGreaterThan(0);
});
