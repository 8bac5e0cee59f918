import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { siteFolder } from "./siteFolder.js";

const maxFirstBytes = 200_000;
const maxFirstScriptBytes = 100_000;

const read = (path: string) => readFileSync(join(siteFolder, path), "utf8");
/** The bytes that go over the wire to a browser. */
const sent = (path: string) => {
  const compressed = join(siteFolder, `${path}.br`);
  return statSync(existsSync(compressed) ? compressed : join(siteFolder, path)).size;
};
/** The files that a file loads by itself. */
const loads = (path: string): string[] => {
  const text = read(path);
  if (path.endsWith(".html")) return [...text.matchAll(/(?:(?:src|href)="|url\()\/([^")]+)/g)].map(([, name]) => name!);
  const names = [
    ...text.matchAll(/^import(?:[^"'`(]*?from)?["'`]\.\/([^"'`]+)["'`]/gm),
    ...text.matchAll(/;import(?:[^"'`(]*?from)?["'`]\.\/([^"'`]+)["'`]/g),
  ];
  return names.map(([, name]) => `explorer/assets/${name}`);
};

/** Returns all files that are loaded for the first page. */
function firstLoad(): string[] {
  const found = new Set<string>();
  const left = ["index.html"];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    if (/\.(html|js)$/.test(path)) left.push(...loads(path));
  }
  return [...found];
}

test("the first page takes 100 kB of script at most, and 200 kB with fonts and all", () => {
  const files = firstLoad();
  const bytes = (paths: readonly string[]) => paths.reduce((sum, path) => sum + sent(path), 0);
  const scripts = files.filter((path) => path.endsWith(".js"));
  // A node that replays takes long for each request.
  expect(scripts).toHaveLength(1);
  expect(files.some((path) => path.endsWith(".woff2"))).toBe(true);
  expect(bytes(scripts)).toBeLessThan(maxFirstScriptBytes);
  expect(bytes(scripts)).toBeGreaterThan(50_000);
  expect(bytes(files)).toBeLessThan(maxFirstBytes);
});

test("editor, plots and the checks of proofs are loaded by the pages that need them", () => {
  const first = firstLoad()
    .filter((path) => path.endsWith(".js"))
    .map(read)
    .join("");
  // A word of each that minifying leaves as it is.
  for (const word of ["superfluous", "cm-content", "u-legend"])
    expect([word, first.includes(word)]).toEqual([word, false]);
});

test("the frame and its styles are in the page, so that the first paint waits for no other answer", () => {
  expect(read("index.html")).toMatch(/<style>.{10000,}<\/style>/s);
  expect(firstLoad().filter((path) => path.endsWith(".css"))).toEqual([]);
  const [, body = ""] = /<div id="app">([\s\S]*?)<noscript>/.exec(read("index.html")) ?? [];
  expect(body).toContain('class="brand"');
  expect(body).not.toContain("<script");
});

test("every file that a page loads later is there", () => {
  const [index = ""] = firstLoad().filter((path) => path.endsWith(".js"));
  const later = [...read(index).matchAll(/"(explorer\/assets\/[^"]+)"/g)].map(([, name]) => name!);
  expect(later.length).toBeGreaterThan(20);
  expect(later.filter((path) => !existsSync(join(siteFolder, path)))).toEqual([]);
});

test("the page has no code in itself, one style sheet, and every file is compressed beside itself", () => {
  expect(read("index.html").match(/<style/g)).toHaveLength(1);
  expect(read("index.html")).not.toMatch(/style=|<script(?![^>]*\bsrc=)|\bon\w+=/);
  const assets = readdirSync(join(siteFolder, "explorer/assets"));
  for (const name of assets.filter((name) => /\.(js|css|svg)$/.test(name))) expect(assets).toContain(`${name}.br`);
});
