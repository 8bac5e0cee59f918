import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  isDirectoryLocked,
  lockDirectory,
  lockName,
  openDataDirectory,
  requireDialect,
  requireRuleSet,
  ruleSetOfData,
} from "./dataDirectory.js";

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
  // The lock file of a killed process keeps no other process out.
  writeFileSync(join(directory, lockName), "");
  const next = await lockDirectory(directory);
  next.close();
  await once(next, "close");
});

test.runIf(process.platform === "linux")(
  "a socket that no process serves any more keeps no other one out",
  async () => {
    const place = join(root, "left");
    mkdirSync(place, { recursive: true });
    // It accepts no connection, like a process that is just being started by one that was killed.
    const script = `require("node:net").createServer().listen(process.argv[1], () => {
    require("node:fs").writeSync(1, "here");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
    const holder = spawn(process.execPath, ["-e", script, join(place, lockName)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(holder.stdout, "data");
    const locking = lockDirectory(place);
    const isLocked = isDirectoryLocked(place);
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
    holder.kill("SIGKILL");
    const lock = await locking;
    expect(await isLocked).toBe(false);
    lock.close();
    await once(lock, "close");
  },
);

test("a directory that holds a chain of one dialect is refused to the other, and stays free", async () => {
  const open = async (dialect: "rnode" | "f1r3node") => {
    const opened = await openDataDirectory(directory, dialect);
    await opened[Symbol.asyncDispose]();
  };
  const refused = (dialect: string, expected: string) => ({ failure: { code: "otherDialect", dialect, expected } });
  // As long as it holds nothing it is for either.
  await open("f1r3node");
  await open("rnode");
  await open("f1r3node");
  writeFileSync(join(directory, "state", "data.mdb"), "");
  await open("f1r3node");
  await expect(open("rnode")).rejects.toMatchObject(refused("f1r3node", "rnode"));
  await expect(open("rnode")).rejects.toThrow("holds a chain of the dialect 'f1r3node', but one of 'rnode' is wanted");
  expect(() => requireDialect(directory, "rnode")).toThrow(/f1r3node/);
  expect(await isDirectoryLocked(directory)).toBe(false);
  // Marks of earlier versions have other names.
  writeFileSync(join(directory, "dialect"), "rnode-rust\n");
  await open("f1r3node");
  await expect(open("rnode")).rejects.toMatchObject(refused("f1r3node", "rnode"));
  // One from before there were marks.
  rmSync(join(directory, "dialect"));
  await open("rnode");
  await expect(open("f1r3node")).rejects.toMatchObject(refused("rnode", "f1r3node"));
  // Any content of the file is read within bounds.
  writeFileSync(join(directory, "dialect"), "x".repeat(1_000_000));
  await expect(open("rnode")).rejects.toMatchObject(refused("x".repeat(64), "rnode"));
});

test("a directory that a rule set has made is refused to another, and one without a name gets the configured one", async () => {
  const open = async (ruleSet: string | undefined, dialect: "rnode" | "f1r3node" = "f1r3node") => {
    const opened = await openDataDirectory(directory, dialect, ruleSet);
    await opened[Symbol.asyncDispose]();
    return ruleSetOfData(directory);
  };
  // As long as it holds nothing it is for any.
  expect([await open("one"), await open("other"), await open(undefined, "rnode")]).toEqual(["one", "other", undefined]);
  await open(undefined);
  writeFileSync(join(directory, "chain", "data.mdb"), "");
  expect(await open(undefined)).toBeUndefined();
  expect(await open("one")).toBe("one");
  await expect(open("other")).rejects.toThrow(
    `${directory} holds a chain made by the rule set 'one', but 'other' is wanted; check casper.rule-set or choose another --data-dir`,
  );
  expect(() => requireRuleSet(directory, "other")).toThrow(/rule set 'one'/);
  expect(await isDirectoryLocked(directory)).toBe(false);
  expect([await open(undefined), await open("one")]).toEqual(["one", "one"]);
});
