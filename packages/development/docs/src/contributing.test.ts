import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageReadmes, root } from "./documents.js";

const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const shown = [...text.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm)].map(([, path, code]) => [path!, code!] as const);

test("every kind of addition has an example with its files", () => {
  for (const heading of ["A route", "A command", "A metric", "A configuration key", "A check of a block"])
    expect(text).toContain(`\n### ${heading}\n`);
  expect(shown.length).toBeGreaterThan(10);
});

test.each(shown)("the shown part of %s is in the file", (path, code) => {
  const file = readFileSync(join(root, path), "utf8");
  let from = 0;
  for (const piece of code.split("…\n")) {
    const at = file.indexOf(piece.replace(/\n$/, ""), from);
    expect(at, piece).toBeGreaterThanOrEqual(0);
    from = at;
  }
});

test("every package describes itself on one page", () => {
  for (const path of packageReadmes()) {
    expect(existsSync(join(root, path)), path).toBe(true);
    expect(readFileSync(join(root, path), "utf8").split("\n").length, path).toBeLessThan(80);
  }
});
