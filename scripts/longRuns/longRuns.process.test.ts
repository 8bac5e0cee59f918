import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Checkout } from "./Checkout.mjs";
import { checkLongRuns, dueLongRuns } from "./checkLongRuns.mjs";
import { LongRunBook } from "./LongRunBook.mjs";
import { coveredBy, longTests } from "./longTests.mjs";
import { readRecords, recordsPath, writeRecord } from "./records.mjs";

const kills = "packages/program/node/src/kills.long.test.ts";
const run = { date: "2026-01-01T00:00:00Z", seconds: 61, tests: 2, node: "v20.19.0" };
let root: string;

const git = (...args: readonly string[]) => {
  const who = ["-c", "user.name=tester", "-c", "user.email=tester@localhost", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...args], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
};

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Changes files, and commits that. */
function commit(...paths: readonly string[]): void {
  for (const path of paths) write(path, `${Math.random()}`);
  git("add", "-A");
  git("commit", "-q", "-m", "a change");
}

const folders: Readonly<Record<string, string>> = {
  contracts: "contracts",
  chain: "packages/core/chain",
  store: "packages/core/store",
  queries: "packages/services/queries",
  explorer: "packages/services/explorer",
  node: "packages/program/node",
};

function addPackage(name: string, dependencies: readonly string[] = []): void {
  const manifest = {
    name: `@vedette/${name}`,
    dependencies: Object.fromEntries(dependencies.map((one) => [one, "1"])),
  };
  write(`${folders[name]}/package.json`, JSON.stringify(manifest));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "vedette-long-runs-"));
  git("init", "-q", "-b", "main");
  addPackage("node", ["@vedette/chain", "fastify"]);
  addPackage("chain", ["@vedette/store"]);
  addPackage("store");
  addPackage("explorer");
  addPackage("contracts");
  write(recordsPath, "{}");
  commit(
    kills,
    "packages/core/chain/src/Dag.ts",
    "packages/core/chain/src/Dag.test.ts",
    "packages/core/store/src/Store.ts",
  );
  writeRecord(root, kills, { ...run, commit: new Checkout(root).head });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const check = (limit = 0) => checkLongRuns(root, limit);

test("commits count that touch the sources of its package, of those that this one depends on, and the contracts", () => {
  const since = readRecords(root)[kills]!.commit;
  const count = () => new Checkout(root).commitsSince(since, coveredBy(root, kills));
  for (const [at, path] of [
    "packages/program/node/src/Node.ts",
    "packages/program/node/src/Node.test.ts",
    "packages/core/chain/src/Dag.ts",
    "packages/core/chain/src/deep/er/Tips.ts",
    "packages/core/store/src/Store.ts",
    "contracts/PoS.rho",
  ].entries()) {
    commit(path);
    expect([path, count()]).toEqual([path, at + 1]);
  }
  for (const path of [
    "packages/core/chain/src/Dag.test.ts",
    "packages/core/store/src/deep/Page.test.tsx",
    "packages/services/explorer/src/Page.tsx",
    "packages/program/node/README.md",
    "contracts/README.md",
    "docs/guide.md",
  ]) {
    commit(path);
    expect([path, count()]).toEqual([path, 6]);
  }
  // One commit that touches several things is one.
  commit("packages/core/chain/src/Dag.ts", "packages/core/store/src/Store.ts", "packages/core/chain/src/Dag.test.ts");
  expect(count()).toBe(7);
});

test("a file fails beyond the limit, by name, and with the command that runs it", () => {
  commit("packages/core/chain/src/Dag.ts");
  commit("packages/core/chain/src/Dag.ts");
  expect(check(2)).toMatchObject({ isWell: true, lines: [expect.stringContaining("1 files")] });
  expect(check(1)).toEqual({
    isWell: false,
    lines: [`${kills}: 2 commits have touched what it covers, more than 1; run it: npm run test:long -- ${kills}`],
  });
});

test("a file is due once it has used up half of its commits, or has no valid record", () => {
  expect(dueLongRuns(root)).toEqual([]);
  const other = "packages/core/store/src/powerCut.long.test.ts";
  commit(other);
  expect(dueLongRuns(root)).toEqual([other]);
  for (let change = 0; change < 20; change += 1) commit("packages/core/chain/src/Dag.ts");
  expect(dueLongRuns(root)).toEqual([other]);
  commit("packages/core/chain/src/Dag.ts");
  expect(dueLongRuns(root)).toEqual([other, kills]);
});

test("a file without a record fails, and so does one whose record is of a commit that never was", () => {
  const other = "packages/core/store/src/powerCut.long.test.ts";
  const third = "packages/core/store/src/seeds.long.test.ts";
  commit(other, third);
  expect(longTests(root)).toEqual([other, third, kills]);
  writeRecord(root, kills, { ...run, commit: "ab".repeat(20) });
  writeRecord(root, third, { ...run, commit: new Checkout(root).head });
  expect(check()).toEqual({
    isWell: false,
    lines: [
      expect.stringContaining(`${other}: there is no record of it; run it: npm run test:long -- ${other}`),
      expect.stringContaining(`${kills}: its record is of ${"ab".repeat(20)}, which is no commit of this repository`),
    ],
  });
});

test("a file that names packages covers these and its own folder, and not what they depend on", () => {
  const named = "packages/program/node/src/disk/kills.long.test.ts";
  write(named, "// Covers: chain, node\nimport {} from 'x';\n");
  git("add", "-A");
  git("commit", "-q", "-m", "a test");
  const since = new Checkout(root).head;
  const count = () => new Checkout(root).commitsSince(since, coveredBy(root, named));
  for (const [at, path] of [
    "packages/program/node/src/disk/Help.ts",
    "packages/program/node/src/Node.ts",
    "packages/core/chain/src/Dag.ts",
    "contracts/PoS.rho",
  ].entries()) {
    commit(path);
    expect([path, count()]).toEqual([path, at + 1]);
  }
  for (const path of [
    "packages/program/node/src/disk/Help.test.ts",
    "packages/core/chain/src/Dag.test.ts",
    "packages/core/store/src/Store.ts",
    "docs/guide.md",
  ]) {
    commit(path);
    expect([path, count()]).toEqual([path, 4]);
  }
  write(named, "// Covers: chian\n");
  expect(() => coveredBy(root, named)).toThrow(`${named} says that it covers the package chian, which is not there`);
});

test("a folder of a package is covered without the others, and what is not there is refused", () => {
  addPackage("queries");
  const named = "packages/program/node/src/disk/kills.long.test.ts";
  write(named, "// Covers: queries/events\n");
  commit("packages/services/queries/src/events/EventLog.ts");
  const since = new Checkout(root).head;
  commit("packages/services/queries/src/events/EventLog.ts");
  commit("packages/services/queries/src/apiQueries.ts");
  expect(new Checkout(root).commitsSince(since, coveredBy(root, named))).toBe(1);
  write(named, "// Covers: queries/evnets\n");
  expect(() => coveredBy(root, named)).toThrow("says that it covers the package queries/evnets, which is not there");
});

test("commits from before the packages moved to their floors count, and the move is one more", () => {
  const since = new Checkout(root).head;
  const named = "packages/program/node/src/disk/kills.long.test.ts";
  addPackage("queries");
  for (const path of [
    "packages/chain/src/Dag.ts",
    "packages/chain/src/Dag.test.ts",
    "packages/events/src/EventLog.ts",
    "packages/queries/src/apiQueries.ts",
    "packages/node/src/disk/Help.ts",
    "packages/node/src/disk/Help.test.ts",
    "packages/explorer/src/Page.tsx",
  ])
    commit(path);
  for (const [from, to] of [
    ["packages/chain/src/Dag.ts", "packages/core/chain/src/Dag.ts"],
    ["packages/events/src/EventLog.ts", "packages/services/queries/src/events/EventLog.ts"],
    ["packages/queries/src/apiQueries.ts", "packages/services/queries/src/apiQueries.ts"],
    ["packages/node/src/disk/Help.ts", "packages/program/node/src/disk/Help.ts"],
  ] as const) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    renameSync(join(root, from), join(root, to));
  }
  write(named, "");
  commit();
  const count = (covers: string) => {
    write(named, `// Covers: ${covers}\n`);
    return new Checkout(root).commitsSince(since, coveredBy(root, named));
  };
  // Its own folder has two commits, and the move.
  expect(count("store")).toBe(3);
  expect(count("chain")).toBe(4);
  expect(count("queries/events")).toBe(4);
  expect(count("queries")).toBe(5);
});

test("what cannot be checked is said in a line", () => {
  commit("packages/program/node/src/Node.ts");
  const full = root;
  const old = git("rev-parse", "HEAD~1").trim();
  root = mkdtempSync(join(tmpdir(), "vedette-long-runs-shallow-"));
  try {
    execFileSync("git", ["clone", "-q", "--depth=1", pathToFileURL(full).href, root], { stdio: "pipe" });
    const lines = [`long runs cannot be checked: the history lacks ${old}`];
    expect(check()).toEqual({ isWell: true, lines });
    rmSync(join(root, ".git"), { recursive: true });
    const without = ["long runs cannot be checked: there is no git repository"];
    expect(check()).toEqual({ isWell: true, lines: without });
    git("init", "-q", "-b", "main");
    commit("packages/program/node/src/Node.ts");
    expect(check()).toEqual({ isWell: true, lines });
  } finally {
    rmSync(root, { recursive: true });
    root = full;
  }
});

test("records are sorted by path, and those of files that are gone go with them", () => {
  const first = "packages/core/chain/src/all.long.test.ts";
  const commitOf = new Checkout(root).head;
  write(first, "");
  writeRecord(root, first, { ...run, commit: commitOf });
  const text = readFileSync(join(root, recordsPath), "utf8");
  expect(text.indexOf(first)).toBeLessThan(text.indexOf(kills));
  expect(readRecords(root)[kills]).toEqual({ ...run, commit: commitOf });
  rmSync(join(root, first));
  writeRecord(root, kills, { ...run, commit: commitOf });
  expect(Object.keys(readRecords(root))).toEqual([kills]);
});

test("a checkout is not clean with changed or new files, but for those that do not count", () => {
  const checkout = new Checkout(root);
  git("add", "-A");
  git("commit", "-q", "-m", "the record");
  expect(checkout.changedFiles([recordsPath])).toEqual([]);
  writeRecord(root, kills, { ...run, commit: "cd".repeat(20) });
  expect(checkout.changedFiles([recordsPath])).toEqual([]);
  write("packages/program/node/src/New.ts", "");
  expect(checkout.changedFiles([recordsPath])).toEqual(["?? packages/program/node/src/New.ts"]);
});

const end = { hasPassed: true, states: ["passed", "passed"], seconds: 61.4 };

test("a file that passes on a clean checkout is recorded, and so are those after it", () => {
  git("add", "-A");
  git("commit", "-q", "-m", "the record");
  const other = "packages/core/store/src/powerCut.long.test.ts";
  commit(other);
  const book = new LongRunBook(root, {});
  for (const path of [kills, other]) expect(book.note(path, end)).toBe(`recorded in ${recordsPath}: ${path}`);
  const { head } = new Checkout(root);
  const expected = {
    commit: head,
    date: expect.stringMatching(/^20.*Z$/),
    seconds: 61,
    tests: 2,
    node: process.version,
  };
  expect(readRecords(root)).toEqual({ [kills]: expected, [other]: expected });
});

test("what has failed, was left out or is not what is committed is not recorded, and says why", () => {
  git("add", "-A");
  git("commit", "-q", "-m", "the record");
  const before = readRecords(root);
  const note = (change: object, environment = {}) =>
    new LongRunBook(root, environment).note(kills, { ...end, ...change });
  expect(note({ hasPassed: false })).toBe(`no record of ${kills}: it has failed`);
  expect(note({ states: ["passed", "skipped"] })).toBe(`no record of ${kills}: 1 of its 2 tests were left out`);
  expect(note({ states: [] })).toBe(`no record of ${kills}: it has no tests`);
  expect(note({}, { VEDETTE_LONG_KILLS: "3" })).toBe(`no record of ${kills}: its size is set by VEDETTE_LONG_KILLS`);
  const book = new LongRunBook(root, {});
  write("packages/program/node/src/New.ts", "");
  expect(book.note(kills, end)).toContain("the checkout is not clean: ?? packages/program/node/src/New.ts");
  const dirty = new LongRunBook(root, {});
  commit("packages/program/node/src/New.ts");
  expect(dirty.note(kills, end)).toContain("the checkout was not clean when it began");
  expect(book.note(kills, end)).toContain("another commit was checked out meanwhile");
  expect(readRecords(root)).toEqual(before);
});
