import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { dialectDefaults } from "./dialectDefaults.js";
import { explainConfig } from "./explainConfig.js";
import { f1r3nodeNames, withoutMeaning } from "./f1r3nodeNames.js";
import { findKeyName, keyOf } from "./keys.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-newer-"));
afterAll(() => rmSync(folder, { recursive: true }));

const chapter = readFileSync(new URL("../../../../docs/protocol/61-f1r3node.md", import.meta.url), "utf8");

interface Row {
  readonly key: string;
  /** f1r3node's default; `undefined` where the table has words for it. */
  readonly there: string | undefined;
  readonly here: string;
}

/** The table of 61 §18.1. */
const rows: readonly Row[] = chapter
  .slice(chapter.indexOf("\n### 18.1 "), chapter.indexOf("\n## 19. "))
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [key = "", there = "", here = ""] = line.slice(2, -2).split(" | ");
    const value = there === "empty" ? "" : /^`(.*)`$/.exec(there)?.[1];
    return { key: key.replaceAll("`", ""), there: value, here };
  });
const meaningless = rows.filter(({ here }) => here.startsWith("no meaning: "));
const obeyed = rows.filter(({ here }) => here.startsWith("="));

function explained(text: string) {
  const configFile = join(folder, "rnode.conf");
  writeFileSync(configFile, text);
  const environment = { VEDETTE_DIALECT: "f1r3node" };
  return explainConfig({ home: "/home/operator", configFile, environment });
}

/** A file that sets these keys to f1r3node's defaults, as substitutions where they are such. */
function fileOf(keys: readonly Row[]): string {
  return keys
    .filter(({ there }) => there !== undefined && there !== "–")
    .map(({ key, there = "" }) => {
      const [, substitution = "", rest = ""] = /^(\$\{[^}]*\})?(.*)$/.exec(there)!;
      return `${key} = ${substitution}${substitution !== "" && rest === "" ? "" : JSON.stringify(rest)}`;
    })
    .join("\n");
}

describe("what f1r3node takes where nothing is configured (61 §18.1)", () => {
  const defaults = explained("").config!;

  test("is listed once for each key", () => {
    expect(rows.length).toBeGreaterThan(125);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  test("is what is taken on its networks", () => {
    const { config, problems, warnings } = explained(fileOf(obeyed));
    expect([problems, warnings]).toEqual([[], []]);
    expect(config).toEqual(defaults);
  });

  test("is accepted in a file without a warning, all keys together", () => {
    const { config, problems, warnings, notices } = explained(fileOf(rows));
    expect([problems, warnings]).toEqual([[], []]);
    expect(config).toEqual({ ...defaults, "api-server.exploratory-deploy-max-concurrent": 1 });
    const [notice, ...more] = notices;
    expect(more).toEqual([]);
    expect(notice).toMatch(/^keys of f1r3node that have no meaning here: metrics\.tick-interval, .*logging\.filter/);
  });

  test("differs from f1r3node's where documented, and nowhere else", () => {
    const known = new Set(rows.map(({ key }) => key));
    expect(Object.keys(dialectDefaults.f1r3node).filter((key) => !known.has(key))).toEqual([]);
  });
});

describe("every key that has no meaning here", () => {
  test.each(meaningless)("$key states it where it is known", ({ key }) => {
    const name = findKeyName(key);
    if (name === undefined) expect(withoutMeaning.get(key)).toBeDefined();
    else expect(keyOf(name).doc).toMatch(/^accepted, without effect/);
  });

  test("is in the table, which has no others", () => {
    const names = new Set(meaningless.map(({ key }) => key));
    expect([...withoutMeaning.keys()].filter((key) => !names.has(key))).toEqual([]);
    for (const { key } of obeyed) {
      const name = f1r3nodeNames.get(key) ?? findKeyName(key);
      expect(name, key).toBeDefined();
      expect(keyOf(name!).doc, key).not.toMatch(/^accepted, without effect/);
    }
  });
});

test("a file may call a key as f1r3node does", () => {
  const { config, notices } = explained("api-server.http-max-body-bytes = 2M");
  expect(config?.["api-server.limits.body-size"]).toBe(2_097_152n);
  expect(notices).toEqual([]);
  expect(explained("api-server { http-max-body-bytes = 2M, limits.body-size = 1M }").notices).toEqual([
    "api-server.http-max-body-bytes is not looked at, since api-server.limits.body-size is set",
  ]);
});

test("sections of keys without meaning are sections", () => {
  expect(explained("logging { file { rotatoin = 1 } }").warnings.map(({ key }) => key)).toEqual([
    "logging.file.rotatoin",
  ]);
});
