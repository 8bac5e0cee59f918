import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { made } from "./madeRelease.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-vsix-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the extension for VS Code has what its manifest names, and its program can be loaded", () => {
  const files = unzipSync(readFileSync(made.extension));
  const text = (name: string) => new TextDecoder().decode(files[name]);
  const manifest = JSON.parse(text("extension/package.json")) as Manifest;
  const { grammars, languages } = manifest.contributes;
  for (const path of [manifest.main, grammars[0]!.path, languages[0]!.configuration])
    expect(Object.keys(files)).toContain(`extension/${path.slice(2)}`);
  expect(text("extension.vsixmanifest")).toContain(`Version="${manifest.version}"`);
  const program = join(folder, "extension.cjs");
  writeFileSync(program, text(`extension/${manifest.main.slice(2)}`));
  // The editor is not there: anything that is read from it is a class.
  writeFileSync(
    join(folder, "load.cjs"),
    `const Module = require("node:module");
class Anything {}
const editor = new Proxy(Anything, { get: (target, key) => (key === "prototype" ? target.prototype : typeof key === "symbol" ? undefined : editor) });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? editor : load(name, ...rest));
try { module.exports = Object.keys(require(${JSON.stringify(program)})); } finally { Module._load = load; }
`,
  );
  expect(createRequire(import.meta.url)(join(folder, "load.cjs"))).toEqual(["activate", "deactivate"]);
});

interface Manifest {
  readonly main: string;
  readonly version: string;
  readonly contributes: {
    readonly grammars: readonly { readonly path: string }[];
    readonly languages: readonly { readonly configuration: string }[];
  };
}
