import { expect, test } from "vitest";
import { keyNames, keyOf } from "./keys.js";

const numbers: readonly string[] = ["int", "optionalInt", "long", "optionalLong", "duration", "decimal", "float"];

test("every number has a smallest value, and its default is within its range", () => {
  const counted = keyNames.map(keyOf).filter(({ type }) => numbers.includes(type));
  expect(counted.length).toBeGreaterThan(50);
  for (const { min, max, default: value, doc } of counted) {
    expect(min, doc).toBeDefined();
    if (typeof value === "number" || typeof value === "bigint") {
      expect(value >= min!, doc).toBe(true);
      if (max !== undefined) expect(value <= max, doc).toBe(true);
    }
  }
});
