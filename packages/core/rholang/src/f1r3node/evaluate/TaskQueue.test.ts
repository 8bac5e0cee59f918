import { expect, test } from "vitest";
import { ErrorScope } from "./ErrorTree.js";
import type { F1r3nodeWork } from "./F1r3nodeWork.js";
import { groupOf, TaskQueue } from "./TaskQueue.js";

function named(names: string, log: string[]): F1r3nodeWork[] {
  const place = { scope: ErrorScope.root(), index: 0, isTask: true };
  return [...names].map((name) => ({ place, run: () => log.push(name) }));
}

/** Runs all tasks; some start others. */
function order(start: string, started: Readonly<Record<string, string>>): string {
  const queue = new TaskQueue();
  const log: string[] = [];
  queue.start(groupOf(named(start, log)));
  for (let task = queue.take(); task !== undefined; task = queue.take()) {
    task.run(undefined as never);
    const more = started[log.at(-1)!];
    if (more !== undefined) queue.start(groupOf(named(more, log)));
  }
  return log.join("");
}

test("of a group the last task runs first, and the others in their order", () => {
  expect(order("abcd", {})).toBe("dabc");
});

test("all tasks that a task starts, except the last, go behind the waiting ones", () => {
  expect(order("abc", { c: "xyz" })).toBe("czabxy");
  expect(order("abc", { c: "xy", y: "pq" })).toBe("cyqabxp");
});

test("a group that was started where another has not begun puts off the one that would run next", () => {
  const queue = new TaskQueue();
  const log: string[] = [];
  queue.start(groupOf(named("ab", log)));
  queue.start(groupOf(named("xy", log)));
  expect(queue.length).toBeGreaterThan(0);
  for (let task = queue.take(); task !== undefined; task = queue.take()) task.run(undefined as never);
  expect(log.join("")).toBe("yabx");
  expect(queue.length).toBe(0);
});
