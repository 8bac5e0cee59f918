import type { BlockMetadata } from "@vedette/chain";
import { expect, test } from "vitest";
import { PrintedText } from "../PrintedText.js";
import { BlockAnswers } from "./BlockAnswers.js";
import type { BlockQueries } from "./BlockQueries.js";

test("the last finalized block is looked up once, until the chain changes", async () => {
  const asked: string[] = [];
  const queries = {
    version: 1,
    requireLastFinalized: () => ({ key: "a" }) as BlockMetadata,
    isLarge: () => {
      asked.push("isLarge");
      return false;
    },
    lastFinalizedBlock() {
      asked.push("text");
      return `text ${this.version}`;
    },
  };
  const answers = new BlockAnswers(queries as unknown as BlockQueries);
  const text = async () => String((await answers.lastFinalized()).printed.bytes);
  expect([await text(), await text(), await text()]).toEqual(["text 1", "text 1", "text 1"]);
  expect(asked).toEqual(["isLarge", "text"]);
  queries.version = 2;
  expect(await text()).toBe("text 2");
});

test("large blocks are made one at a time, each once for all that ask in turns, and so many wait at most", async () => {
  const made: string[] = [];
  let underWay = 0;
  const queries = {
    version: 1,
    requireBlock: (hash: string) => ({ key: hash }) as BlockMetadata,
    isSettled: () => false,
    isLarge: () => true,
    faultTolerance: () => 1,
    async fullTextInTurns({ key }: BlockMetadata) {
      expect((underWay += 1)).toBe(1);
      made.push(key);
      await Promise.resolve();
      underWay -= 1;
      return new PrintedText(`text ${key}`);
    },
  };
  const answers = new BlockAnswers(queries as unknown as BlockQueries);
  const asked = Array.from({ length: 40 }, (_, at) => answers.block(at % 2 === 0 ? "a" : "b"));
  const texts = (await Promise.all(asked)).map(({ printed }) => String(printed.bytes));
  expect([new Set(texts), made]).toEqual([new Set(["text a", "text b"]), ["a", "b"]]);
  const many = await Promise.allSettled(Array.from({ length: 20 }, async (_, at) => answers.block(`c${at}`)));
  const refused = many.filter(({ status }) => status === "rejected");
  expect(refused.map((each) => String((each as PromiseRejectedResult).reason))).toEqual(
    refused.map(() => "Overload: Too many queries are waiting; try again later."),
  );
  expect(refused.length).toBe(5);
});
