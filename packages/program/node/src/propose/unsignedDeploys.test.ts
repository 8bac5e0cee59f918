import { RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import type { Deploy } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { SoloValidator, userDeploy } from "../testing/SoloValidator.js";

async function validator(takesUnsigned?: boolean): Promise<SoloValidator> {
  const executor = executorHere(new RnodeExecutor(new MemoryStore(tablesOf("state"))));
  const proposing = takesUnsigned === undefined ? {} : { takesUnsigned };
  return new SoloValidator("one", await executor.makeEmptyState(), { executor, proposing });
}

const unsigned: Deploy = { ...userDeploy("deployer", "Nil"), signature: new TextEncoder().encode("not a signature") };

test("a validator of a network refuses a deploy without a signature, however it comes", async () => {
  for (const takesUnsigned of [undefined, false]) {
    const { proposing } = await validator(takesUnsigned);
    expect(await proposing.submitUnsigned(unsigned)).toBe("Invalid signature.");
    expect(await proposing.submit(unsigned)).toBe("Invalid signature.");
    expect(proposing.pool.size).toBe(0);
  }
});

test("one of a chain for development takes it from code in its process, and from no API", async () => {
  const { proposing } = await validator(true);
  expect(await proposing.submit(unsigned)).toBe("Invalid signature.");
  expect(await proposing.submitUnsigned({ ...unsigned, shardId: "other" })).toContain("shardId");
  expect(await proposing.submitUnsigned(unsigned)).toBeUndefined();
  expect(proposing.pool.size).toBe(1);
});
