import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeBlock, rnodeRust } from "@vedette/protocol";
import { lengthPrefixed, recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { lightBlockMessage } from "../grpc/blockMessages.js";
import { printJson } from "../json/printJson.js";
import { lightBlockInfo } from "./blockInfo.js";

const directory = recordedDirectory("chains-r");

test("blocks of the newer node are told with what its blocks alone have", () => {
  const folder = join(directory, "trio-r");
  const lines = readFileSync(join(folder, "blocks.jsonl"), "utf8").trim().split("\n");
  let rejected = 0;
  for (const [index, bytes] of lengthPrefixed(readFileSync(join(folder, "blocks.bin"))).entries()) {
    const block = decodeBlock(bytes, undefined, rnodeRust.blockForm);
    const recorded = JSON.parse(lines[index]!);
    for (const isFinalized of [true, false]) {
      const facts = { sizeBytes: bytes.length, faultTolerance: 0, isFinalized };
      const told = JSON.parse(printJson(lightBlockInfo(block, facts)));
      expect(told).toMatchObject({ isFinalized, mergeBase: recorded.mergeBase });
      expect(told.appliedFromScope.toSorted()).toEqual(recorded.appliedFromScope.toSorted());
      const names = told.rejectedDeploys.map(({ sig: id, duplicate, carrier }: Record<string, unknown>) => ({
        ...{ id, duplicate, carrier },
      }));
      expect(names).toEqual(recorded.rejectedDeploys);
      expect(lightBlockMessage(block, facts).isFinalized).toBe(isFinalized);
      rejected += names.length;
    }
  }
  expect(rejected).toBeGreaterThan(0);
});
