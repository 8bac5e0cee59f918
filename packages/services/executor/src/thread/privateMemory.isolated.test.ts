import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { privateMemory } from "./privateMemory.js";

if (existsSync("/proc/self/status"))
  test("is less than all that is resident, and grows with what is held", () => {
    const before = privateMemory("self")!;
    expect(before).toBeGreaterThan(1 << 20);
    expect(before).toBeLessThan(process.memoryUsage().rss + (64 << 20));
    const held = Buffer.alloc(256 << 20, 1);
    expect(privateMemory("self")! - before).toBeGreaterThan(128 << 20);
    expect(held[1]).toBe(1);
  });

test("of a process that is not there nothing is known", () => {
  expect(privateMemory(2 ** 30)).toBeUndefined();
});
