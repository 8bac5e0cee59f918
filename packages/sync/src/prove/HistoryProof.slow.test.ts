import { chainsDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { provenHistory, rightHistory } from "../testing/provingNode.js";

describe.skipIf(chainsDirectory() === undefined)("the proof of a long history", () => {
  test.for(["solo", "trio"])("reaches the block that the node began with, from genesis (chain %s)", async (name) => {
    const proven = await provenHistory(name);
    expect(proven).toMatchObject(rightHistory(proven.approvedNumber));
  });
});
