import { expect, test } from "vitest";
import { checkDevSettings, type DevSettings, defaultDevSettings } from "./DevSettings.js";

test("a setting that is out of its range is named, with the range", () => {
  const fault = (change: Partial<DevSettings>) => {
    try {
      checkDevSettings({ ...defaultDevSettings, ...change });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(fault({})).toBeUndefined();
  expect(fault({ port: 0 })).toBeUndefined();
  expect(fault({ port: 65_531 })).toBe("--port: it must be 0 for free ports, or a number from 1 to 65530");
  expect(fault({ port: 1.5 })).toContain("--port");
  expect(fault({ seed: "" })).toBe("--seed: it must have 1 to 200 characters");
  expect(fault({ balance: 0n })).toBe("--balance: it must be from 1 to 100000000000000000");
  expect(fault({ blockTimeMs: 10 })).toBe("--block-time: it must be from 0.1 to 86400 seconds");
  expect(fault({ blockTimeMs: Number.NaN })).toContain("--block-time");
  const fork = { url: "http://127.0.0.1:1", at: undefined, fundFrom: undefined };
  expect(fault({ dialect: "f1r3node" })).toBeUndefined();
  expect(fault({ dialect: "f1r3node", fork })).toBeUndefined();
});
