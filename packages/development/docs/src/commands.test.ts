import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documents, root } from "./documents.js";
import { shellCommands } from "./shellCommands.js";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: { readonly [name: string]: string };
};
/** The commands that npm has by itself. */
const ownCommands = new Set(["ci", "install", "i", "pack", "exec", "view"]);
/** Packages of ours by name: they are in no registry yet, so only a file or a checkout has them. */
const ourPackage = /^(vedette|@vedette\/\S+)(@\S+)?$/;

test("no document has its reader get a package from a registry that does not have it", () => {
  const wrong: string[] = [];
  for (const { path, text } of shellCommands()) {
    const [, wanted = ""] = /\bnpm (?:install|i)((?: [^\s&]+)*)/.exec(text) ?? [];
    if (wanted.split(" ").some((name) => ourPackage.test(name))) wrong.push(`${path}: ${text}`);
  }
  expect(wrong).toEqual([]);
});

test("`npx vedette` appears only in documents about a checkout, behind the command that installs it", () => {
  const withNpx = documents().filter(({ path, text }) => !isHistory(path) && /^ {4,}npx vedette\b/m.test(text));
  expect(withNpx.length).toBeGreaterThan(0);
  const early = withNpx.filter(({ path, text }) => {
    const made = path.startsWith("vectors/") ? 0 : text.indexOf("npm ci");
    return made === -1 || text.search(/^ {4,}npx vedette\b/m) < made;
  });
  expect(early.map(({ path }) => path)).toEqual([]);
});

test("every script that a document names is one of package.json", () => {
  const unknown: string[] = [];
  for (const { path, text } of documents().filter((one) => !isHistory(one.path)))
    for (const [, run, name] of text.matchAll(/\bnpm (run (?:-s )?)?([a-z][\w-]*(?::\w+)*)/g)) {
      const isKnown = run === undefined ? ownCommands.has(name!) || scripts[name!] !== undefined : scripts[name!];
      // "npm package", "npm links": prose.
      if (!isKnown && (run !== undefined || /^(start|test|run)$/.test(name!))) unknown.push(`${path}: npm ${name}`);
    }
  expect(unknown).toEqual([]);
});

function isHistory(path: string): boolean {
  return path === "CHANGELOG.md";
}
