import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isDirectoryLocked, lockDirectory, lockName } from "./dataDirectory.js";

const root = mkdtempSync(join(tmpdir(), "vedette-lock-"));
// Longer than the name of a socket may be.
const directory = join(root, "d".repeat(200));
const earlierFolder = process.env["TMPDIR"];

afterEach(() => {
  if (earlierFolder === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = earlierFolder;
  rmSync(root, { recursive: true, force: true });
});

test("a directory has one process, whatever temporary folder others have", async () => {
  mkdirSync(directory, { recursive: true });
  expect(await isDirectoryLocked(directory)).toBe(false);
  const lock = await lockDirectory(directory);
  // As in a service or a container with a folder of its own.
  process.env["TMPDIR"] = join(root, "other");
  await expect(lockDirectory(directory)).rejects.toMatchObject({ failure: { code: "inUse", path: directory } });
  expect(await isDirectoryLocked(directory)).toBe(true);
  lock.close();
  await once(lock, "close");
  expect(await isDirectoryLocked(directory)).toBe(false);
  expect(existsSync(join(directory, lockName))).toBe(false);
  // What a killed process has left keeps nobody out.
  writeFileSync(join(directory, lockName), "");
  const next = await lockDirectory(directory);
  next.close();
  await once(next, "close");
});
