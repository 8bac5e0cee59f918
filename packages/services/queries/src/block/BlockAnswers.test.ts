import type { BlockMetadata } from "@vedette/chain";
import { expect, test } from "vitest";
import { BlockAnswers } from "./BlockAnswers.js";
import type { BlockQueries } from "./BlockQueries.js";

test("the last finalized block is looked up once, until the chain changes", async () => {
  const asked: string[] = [];
  const queries = {
    version: 1,
    requireLastFinalized: () => ({ key: "a" }) as BlockMetadata,
    hasLargeText: () => {
      asked.push("hasLargeText");
      return false;
    },
    lastFinalizedBlock() {
      asked.push("text");
      return `text ${this.version}`;
    },
  };
  const answers = new BlockAnswers(queries as unknown as BlockQueries);
  const text = async () => String((await answers.lastFinalized({ client: "10.0.0.1" })).printed.bytes);
  expect([await text(), await text(), await text()]).toEqual(["text 1", "text 1", "text 1"]);
  expect(asked).toEqual(["hasLargeText", "text"]);
  queries.version = 2;
  expect(await text()).toBe("text 2");
});
