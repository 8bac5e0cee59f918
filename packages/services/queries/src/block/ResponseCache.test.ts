import { expect, test } from "vitest";
import { ResponseCache } from "./ResponseCache.js";

const half = 5 << 20;

test("answers are kept until the chain changes", () => {
  let version = 1;
  const kept = new ResponseCache<string>(() => version);
  expect(kept.find("a")).toBeUndefined();
  expect(kept.keep("a", "answer", 1)).toBe(true);
  expect(kept.find("a")).toBe("answer");
  version = 2;
  expect(kept.find("a")).toBeUndefined();
});

test("where there is no more room all are dropped, and what is larger than that is not kept", () => {
  const kept = new ResponseCache<string>(() => 0);
  kept.keep("a", "one", half);
  expect(kept.keep("b", "two", half)).toBe(true);
  expect([kept.find("a"), kept.find("b")]).toEqual([undefined, "two"]);
  expect(kept.keep("c", "three", 2 * half)).toBe(false);
  expect([kept.find("b"), kept.find("c")]).toEqual(["two", undefined]);
});

test("what was dropped takes no room, and only the one that is meant is dropped", () => {
  const kept = new ResponseCache<string>(() => 0);
  kept.begin("a", "one");
  expect(kept.has("a", "one")).toBe(true);
  kept.keep("a", "one", half);
  kept.drop("a", "other");
  expect(kept.find("a")).toBe("one");
  kept.drop("a", "one");
  kept.keep("b", "two", half);
  kept.begin("c", "three");
  expect([kept.find("a"), kept.find("b"), kept.find("c")]).toEqual([undefined, "two", "three"]);
});
