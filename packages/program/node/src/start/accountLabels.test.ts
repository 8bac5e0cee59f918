import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "@vedette/config";
import { afterAll, expect, test } from "vitest";
import { readAccountLabels } from "./accountLabels.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-labels-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "labels.json");
const read = (text?: string) => {
  if (text !== undefined) writeFileSync(path, text);
  return readAccountLabels({ "api-server.explorer-labels": path } as Config);
};

test("accounts have the names of the operator's file, and none without it", () => {
  expect(readAccountLabels({} as Config)).toEqual({});
  expect(read('{"1111abc": "Treasury"}')).toEqual({ "1111abc": "Treasury" });
});

test("a file that is no list of names is refused, with what is wrong", () => {
  expect(() => read("[]")).toThrow("api-server.explorer-labels");
  expect(() => read("{")).toThrow("is no JSON");
  expect(() => read('{"1111abc": 5}')).toThrow("names 1111abc by no text");
  expect(() => read(JSON.stringify({ a: "x".repeat(61) }))).toThrow("1 to 60 characters");
  expect(() => read(JSON.stringify(Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [at, "n"]))))).toThrow(
    "5000 are read at most",
  );
  expect(() => read(`{"a": "${" ".repeat(1 << 20)}"}`)).toThrow("more than 1048576 bytes");
  expect(() => readAccountLabels({ "api-server.explorer-labels": `${path}.none` } as Config)).toThrow("cannot be read");
});
