import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders } from "./makeFolders.js";

test("folders are made where they are missing", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-folders-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a b", "c", "d");
  makeFolders(path, 0o700);
  makeFolders(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolders(join(folder, "file"))).toThrow(/EEXIST/);
  expect(() => makeFolders(join(folder, "file", "below"))).toThrow(/ENOTDIR/);
});

if (existsSync("/proc"))
  test("a place where nothing can be made is reported", () => {
    expect(() => makeFolders("/proc/vedette/data")).toThrow(/ENOENT/);
  });
