import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LargeAnswers } from "./LargeAnswers.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Told {
  readonly text: string;
  readonly isComplete: boolean;
}

test("large answers are made one at a time, each once for all that ask in turns, and so many wait at most", async () => {
  const made: string[] = [];
  let underWay = 0;
  const answers = new LargeAnswers<Told>();
  const ask = async (key: string) =>
    answers.find(key, async () => {
      expect((underWay += 1)).toBe(1);
      made.push(key);
      await Promise.resolve();
      underWay -= 1;
      return { text: `text ${key}`, isComplete: true };
    });
  const asked = Array.from({ length: 40 }, (_, at) => ask(at % 2 === 0 ? "a" : "b"));
  const texts = (await Promise.all(asked)).map(({ text }) => text);
  expect([new Set(texts), made]).toEqual([new Set(["text a", "text b"]), ["a", "b"]]);
  const many = await Promise.allSettled(Array.from({ length: 20 }, async (_, at) => ask(`c${at}`)));
  const refused = many.filter(({ status }) => status === "rejected");
  expect(refused.map((each) => String((each as PromiseRejectedResult).reason))).toEqual(
    refused.map(() => "Overload: Too many queries are waiting; try again later."),
  );
  expect(refused.length).toBe(5);
});

test("one that could not be made is in nobody's way, and is made for who asks again", async () => {
  const answers = new LargeAnswers<Told>();
  const fails = () => answers.find("a", () => Promise.reject(new Error("not now")));
  const after = answers.find("b", async () => ({ text: "b", isComplete: true }));
  await expect(fails()).rejects.toThrow("not now");
  expect((await after).text).toBe("b");
  expect((await answers.find("a", async () => ({ text: "a", isComplete: true }))).text).toBe("a");
});

test.each([
  ["a whole one", true, 5_000],
  ["one that lacks something", false, 1_000],
] as const)("%s is kept for a while", async (_kind, isComplete, keptMs) => {
  const answers = new LargeAnswers<Told>();
  let count = 0;
  const ask = async () => (await answers.find("a", async () => ({ text: String((count += 1)), isComplete }))).text;
  expect([await ask(), await ask()]).toEqual(["1", "1"]);
  vi.advanceTimersByTime(keptMs - 1);
  expect(await ask()).toBe("1");
  vi.advanceTimersByTime(1);
  expect(await ask()).toBe("2");
});
