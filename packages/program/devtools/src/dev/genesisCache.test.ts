import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cachePath, copyPrepared, forgetPrepared, keepPrepared } from "./genesisCache.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-cache-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const draftOf = (text: string) => (draft: string) => {
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "file"), text);
};

test("a prepared chain is there whole or not at all, and the oldest go", () => {
  const cache = join(folder, "cache");
  const to = join(folder, "to");
  expect(copyPrepared(cache, "a", to)).toBe(false);
  expect(() =>
    keepPrepared(cache, "a", (draft) => {
      draftOf("half")(draft);
      throw new TypeError("the disk is full");
    }),
  ).toThrow("the disk is full");
  expect([copyPrepared(cache, "a", to), readdirSync(cache)]).toEqual([false, []]);
  keepPrepared(cache, "a", draftOf("one"));
  keepPrepared(cache, "a", draftOf("two"));
  expect(copyPrepared(cache, "a", to)).toBe(true);
  expect(readFileSync(join(to, "file"), "utf8")).toBe("one");
  for (let count = 0; count < 9; count += 1) keepPrepared(cache, `b${count}`, draftOf("b"));
  expect(readdirSync(cache)).toHaveLength(6);
  forgetPrepared(cache, "b8");
  expect(existsSync(join(cache, "b8"))).toBe(false);
});

test("the cache lies in the user's folder for what can be made again", () => {
  expect(cachePath({ XDG_CACHE_HOME: "/caches" })).toBe("/caches/vedette/dev");
  expect(cachePath({})).toMatch(/\.cache\/vedette\/dev$/);
});
