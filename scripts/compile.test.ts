import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compile } from "./compile.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "vedette-compile-"));
  write("package.json", '{ "type": "module" }');
  symlinkSync(fileURLToPath(new URL("../node_modules", import.meta.url)), join(root, "node_modules"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** @returns the faults, and how many modules were compiled */
async function compileAll(): Promise<{ readonly faults: readonly string[]; readonly compiled: number }> {
  let compiled = 0;
  const faults = await compile(root, ["a", "b"], () => {
    compiled += 1;
  });
  return { faults, compiled };
}

const load = (path: string) => import(`${pathToFileURL(join(root, path)).href}?${Math.random()}`);

test("types are taken off, and what Node.js 20 does not know is written as it does", async () => {
  write(
    "a/src/in/log.ts",
    `export interface Line { readonly text: string }
     export class Log { constructor(readonly lines: Line[] = []) {} [Symbol.dispose](): void { this.lines.push({ text: "closed" }); } }`,
  );
  write(
    "b/src/use.ts",
    `import { type Line, Log } from "../../a/dist/in/log.js";
     export function use(lines: Line[]): void { using log = new Log(lines); log.lines.push({ text: "used" } satisfies Line); }`,
  );
  expect(await compileAll()).toEqual({ faults: [], compiled: 2 });
  const lines: unknown[] = [];
  (await load("b/dist/use.js")).use(lines);
  expect(lines).toEqual([{ text: "used" }, { text: "closed" }]);
});

test("only what has changed is compiled again, and what is gone goes", async () => {
  write("a/src/one.ts", "export const value: number = 1;");
  write("a/src/two.ts", "export const value: number = 2;");
  write("b/src/three.tsx", "export const value: number = 3;");
  expect(await compileAll()).toEqual({ faults: [], compiled: 3 });
  const { mtimeMs } = statSync(join(root, "a/dist/one.js"));
  write("a/src/two.ts", "export const value: number = 22;");
  expect(await compileAll()).toEqual({ faults: [], compiled: 1 });
  expect((await load("a/dist/two.js")).value).toBe(22);
  expect(statSync(join(root, "a/dist/one.js")).mtimeMs).toBe(mtimeMs);
  rmSync(join(root, "b/src/three.tsx"));
  rmSync(join(root, "a/dist/one.js"));
  expect(await compileAll()).toEqual({ faults: [], compiled: 1 });
  expect(
    ["a/dist/one.js", "b/dist/three.js", "b/dist/three.js.map"].map((path) => existsSync(join(root, path))),
  ).toEqual([true, false, false]);
});

test("a position in what was compiled is one in its source", async () => {
  write(
    "a/src/deep/thrown.ts",
    "interface Gone {}\n\nexport function fail(_: Gone): never {\n  throw new Error();\n}\n",
  );
  write("b/src/empty.ts", "");
  await compileAll();
  const map = JSON.parse(readFileSync(join(root, "a/dist/deep/thrown.js.map"), "utf8"));
  expect(map).toMatchObject({ version: 3, sources: ["../../src/deep/thrown.ts"] });
  expect(readFileSync(join(root, "a/dist/deep/thrown.js"), "utf8")).toMatch(
    /\n\/\/# sourceMappingURL=thrown\.js\.map\n$/,
  );
});

test("what cannot be read is named, is not written, and is tried again", async () => {
  write("a/src/bad.ts", "export const value: = 1;");
  write("b/src/good.ts", "export const value = 1;");
  for (let times = 0; times < 2; times += 1) {
    const { faults } = await compileAll();
    expect(faults).toEqual([expect.stringContaining("bad.ts")]);
    expect(existsSync(join(root, "a/dist/bad.js"))).toBe(false);
  }
  write("a/src/bad.ts", "export const value = 1;");
  expect(await compileAll()).toEqual({ faults: [], compiled: 1 });
});
