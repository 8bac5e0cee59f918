import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeError } from "./printError.js";

const here = fileURLToPath(import.meta.url);

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("a system error about a file is printed as a sentence with its path", () => {
  const missing = thrownBy(() => readFileSync("/nowhere/at/all"));
  expect(describeError(missing)).toBe("/nowhere/at/all is not there; check the path (ENOENT)");
  expect(describeError(thrownBy(() => readdirSync(here)))).toBe(
    `${here} is not there: a part of the path is no directory (ENOTDIR)`,
  );
  expect(describeError(new Error("The chain cannot be read", { cause: missing }))).toBe(
    "The chain cannot be read (/nowhere/at/all is not there; check the path (ENOENT))",
  );
  const { message } = missing as Error;
  expect(describeError(new Error(`No chain: ${message}`, { cause: missing }))).toBe(
    "No chain: /nowhere/at/all is not there; check the path (ENOENT)",
  );
});

test("other errors are printed unchanged, and a cause that the message has already is left out", () => {
  const cause = new RangeError("too large");
  expect(describeError(new Error("a block is too large", { cause }))).toBe("a block is too large");
  expect(describeError(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))).toBe("refused");
  expect(describeError("gone")).toBe("gone");
});
