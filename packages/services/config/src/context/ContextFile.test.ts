import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ContextError, ContextFile, contextFilePath } from "./ContextFile.js";
import type { NodeContext } from "./NodeContext.js";

const address = { host: "127.0.0.1", grpcPort: 40_401, operatorPort: 40_402, httpPort: 40_403 };
const named = (name: string, pid?: number): NodeContext => ({
  ...{ name, writes: address, reads: { ...address, grpcPort: 40_451 } },
  pid,
});
const place = mkdtempSync(join(tmpdir(), "vedette-contexts-"));
const emptyFile = () => join(mkdtempSync(join(place, "list-")), "folder", "contexts.json");

afterAll(() => rmSync(place, { recursive: true }));

test("what was noted or chosen last is in use, and only its user can read the list", () => {
  const path = emptyFile();
  const file = new ContextFile(path);
  expect(file.current()).toBeUndefined();
  file.note(named("testnet"));
  file.note(named("local"));
  expect(file.current()?.name).toBe("local");
  expect(file.choose("testnet").name).toBe("testnet");
  expect(new ContextFile(path).list()).toEqual([named("testnet"), named("local")]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a network with an ended process is skipped, and gives way to the earlier choice", () => {
  const alive = new Set([7, 8]);
  const file = new ContextFile(emptyFile(), (pid) => alive.has(pid));
  file.note(named("testnet"));
  file.note(named("network", 7));
  expect(file.current()?.name).toBe("network");
  alive.delete(7);
  expect(file.list().map(({ name }) => name)).toEqual(["testnet"]);
});

test("a process takes its own context out, not the one that another process has noted under the same name", () => {
  const file = new ContextFile(emptyFile(), () => true);
  file.note(named("network", 8));
  expect(file.forget("network", 7)).toBe(false);
  expect(file.forget("network", 8)).toBe(true);
  expect(file.list()).toEqual([]);
});

test("the error for an unknown name lists the known ones", () => {
  const file = new ContextFile(emptyFile());
  file.note(named("testnet"));
  expect(() => file.choose("mainnet")).toThrow("There is no context mainnet: known are testnet;");
});

test.each([
  ["{", "Expected property name"],
  ["[]", "it has no list `contexts`"],
  [JSON.stringify({ contexts: [{ name: "../etc" }] }), "contexts[0] has a name of other signs"],
  [JSON.stringify({ contexts: [{ ...named("a"), reads: { ...address, httpPort: 0 } }] }), "whose httpPort is not"],
  [" ".repeat(70_000), "it has more than 65536 bytes"],
])("the error for a damaged list has its path, what is wrong and what to do: %#", (text, wrong) => {
  const path = join(mkdtempSync(join(place, "damaged-")), "contexts.json");
  writeFileSync(path, text);
  const reading = () => new ContextFile(path).current();
  expect(reading).toThrow(ContextError);
  expect(reading).toThrow(wrong);
  expect(reading).toThrow(`The list of contexts ${path} is damaged`);
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("the file is the variable's, or lies in the home of the user", () => {
  expect(contextFilePath({ VEDETTE_CONTEXTS: "/a/b", HOME: "/home/u" })).toBe("/a/b");
  expect(contextFilePath({ HOME: "/home/u" })).toBe("/home/u/.vedette/contexts.json");
  expect(contextFilePath({})).toBeUndefined();
});
