import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LargeAnswers } from "./LargeAnswers.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const anyClient = { client: undefined };

interface LargeAnswer {
  readonly text: string;
  readonly isComplete: boolean;
}

test("large answers are made one at a time, each once for all requests in turns, and a limited number waits", async () => {
  const made: string[] = [];
  let underWay = 0;
  const answers = new LargeAnswers<LargeAnswer>();
  const ask = async (key: string) =>
    answers.find(key, anyClient, async () => {
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
    refused.map(() => "Overload: Too many requests are waiting; try again later."),
  );
  expect(refused.length).toBe(4);
});

test("clients have turns, however many one has, and the one with most gives way to a client with fewer", async () => {
  const answers = new LargeAnswers<LargeAnswer>();
  const made: string[] = [];
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const ask = (key: string, client: string) =>
    answers.find(key, { client }, async () => {
      await held;
      made.push(key);
      return { text: key, isComplete: true };
    });
  // Addresses of one network are one client.
  const many = Array.from({ length: 17 }, (_, at) => ask(`a${at}`, `2001:db8::${at + 1}`));
  const busy = Promise.allSettled(many);
  await expect(many.at(-1)).rejects.toThrow("Too many requests of your address are under way");
  const other = ask("b", "10.0.0.2");
  await expect(many.at(-2)).rejects.toThrow("Too many requests are waiting");
  goOn();
  await other;
  expect(made.slice(0, 2)).toEqual(["a0", "b"]);
  expect((await busy).filter(({ status }) => status === "fulfilled")).toHaveLength(15);
});

test("one that its client gave up, or lost the place of, is made for another one that requests it", async () => {
  const answers = new LargeAnswers<LargeAnswer>();
  let goOn = () => {};
  const held = new Promise<LargeAnswer>((resolve) => (goOn = () => resolve({ text: "first", isComplete: true })));
  const first = answers.find("first", { client: "10.0.0.1" }, () => held);
  const left = new AbortController();
  const make = async () => ({ text: "made", isComplete: true });
  const gone = answers.find("a", { client: "10.0.0.1", signal: left.signal }, make);
  const same = answers.find("a", { client: "10.0.0.1" }, make);
  const other = answers.find("a", { client: "10.0.0.2" }, make);
  left.abort();
  await expect(gone).rejects.toThrow("The request was cancelled.");
  goOn();
  expect((await Promise.all([first, same, other])).map(({ text }) => text)).toEqual(["first", "made", "made"]);
});

test("an answer that could not be made delays no other, and is made for the next request", async () => {
  const answers = new LargeAnswers<LargeAnswer>();
  const fails = () => answers.find("a", anyClient, () => Promise.reject(new Error("not now")));
  const after = answers.find("b", anyClient, async () => ({ text: "b", isComplete: true }));
  await expect(fails()).rejects.toThrow("not now");
  expect((await after).text).toBe("b");
  expect((await answers.find("a", anyClient, async () => ({ text: "a", isComplete: true }))).text).toBe("a");
});

test.each([
  ["a whole one", true, 5_000],
  ["one that lacks something", false, 1_000],
] as const)("%s is kept for a while", async (_kind, isComplete, keptMs) => {
  const answers = new LargeAnswers<LargeAnswer>();
  let count = 0;
  const ask = async () =>
    (await answers.find("a", anyClient, async () => ({ text: String((count += 1)), isComplete }))).text;
  expect([await ask(), await ask()]).toEqual(["1", "1"]);
  vi.advanceTimersByTime(keptMs - 1);
  expect(await ask()).toBe("1");
  vi.advanceTimersByTime(1);
  expect(await ask()).toBe("2");
});
