import { countedFor } from "@vedette/queries/events";
import { expect, test } from "vitest";
import { RequestBudget } from "./RequestBudget.js";

test("an address has so many requests at once, and gets them back steadily", () => {
  const budget = new RequestBudget();
  const limits = { burst: 3, requestsPerSecond: 2 };
  expect([1, 2, 3, 4].map(() => budget.take("a", 0, limits))).toEqual([0, 0, 0, 1]);
  expect(budget.take("b", 0, limits)).toBe(0);
  expect([budget.take("a", 400, limits), budget.take("a", 500, limits), budget.take("a", 500, limits)]).toEqual([
    1, 0, 1,
  ]);
  expect([1, 2, 3, 4].map(() => budget.take("a", 1_000_000, limits))).toEqual([0, 0, 0, 1]);
});

test("a client gets in after the time that the refusal named", () => {
  const budget = new RequestBudget();
  const limits = { burst: 1, requestsPerSecond: 0.1 };
  expect(budget.take("a", 0, limits)).toBe(0);
  const seconds = budget.take("a", 1, limits);
  expect(seconds).toBe(10);
  expect(budget.take("a", 1 + seconds * 1_000, limits)).toBe(0);
});

test("a flood of addresses takes no memory without end", () => {
  const budget = new RequestBudget();
  const limits = { burst: 1, requestsPerSecond: 1 };
  expect([budget.take("first", 0, limits), budget.take("first", 0, limits)]).toEqual([0, 1]);
  for (let address = 0; address < 20_000; address++) budget.take(String(address), 0, limits);
  expect(budget.take("first", 0, limits)).toBe(0);
});

test("programs of this machine have no limits", () => {
  expect(countedFor("127.0.0.1", { limitsOwnMachine: false })).toBeUndefined();
  expect(countedFor("127.0.0.1", { limitsOwnMachine: true })).toBe("127.0.0.1");
});
