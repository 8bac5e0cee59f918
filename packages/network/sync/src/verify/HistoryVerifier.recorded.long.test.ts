import { expect, test } from "vitest";
import { provenHistory, rightHistory } from "../testing/provingNode.js";

test.for(["solo", "trio"])("a proof of the history of %s reaches the block that the node began with", async (name) => {
  const proven = await provenHistory(name);
  expect(proven).toMatchObject(rightHistory(proven.approvedNumber));
});
