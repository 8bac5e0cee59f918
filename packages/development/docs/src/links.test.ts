import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { documents, root, withoutCode } from "./documents.js";
import { guideFiles } from "./shellCommands.js";

const all = documents();

test("every relative link leads somewhere, headings included", () => {
  const broken: string[] = [];
  let links = 0;
  for (const { path, text } of all)
    for (const [, target] of withoutInlineCode(text).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      links += 1;
      const [file = "", anchor] = target!.split("#");
      const place = file === "" ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(root, place))) broken.push(`${path}: ${target}`);
      else if (anchor !== undefined && !anchorsOf(place).has(anchor))
        broken.push(`${path}: ${target} (no such heading)`);
    }
  expect(broken).toEqual([]);
  expect(links).toBeGreaterThan(40);
});

test("every path of the repository that a document names is there", () => {
  const missing: string[] = [];
  let named = 0;
  const written = new Set(guideFiles().map((file) => `${file.path} ${file.name}`));
  for (const { path, text } of all)
    for (const [, name] of text.matchAll(
      /`((?:docs|packages|scripts|docker|examples|contracts|interop|\.vscode)\/[\w./-]*)`/g,
    )) {
      // Files that the build or a user makes.
      if (written.has(`${path} ${name}`)) continue;
      if (/\/dist\/|^docker\/(data|\.env$)/.test(name!)) continue;
      named += 1;
      if (!existsSync(join(root, name!))) missing.push(`${path}: ${name}`);
    }
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThan(100);
});

test("the index links to every document", () => {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  const linked = new Set([...index.matchAll(/\]\(([^)#]+)/g)].map(([, target]) => normalize(join("docs", target!))));
  const documents = all.map(({ path }) => path).filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(documents.filter((path) => !linked.has(path))).toEqual([]);
});

test("every source file that a package's README names is there", () => {
  const sources = ["packages", "contracts", "scripts", "interop"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `/${String(name).replaceAll("\\", "/")}`),
  );
  const known = new Set(sources.filter((name) => !/node_modules|\/dist\//.test(name)));
  const isThere = (name: string) => known.has(name) || [...known].some((one) => one.endsWith(`/${name}`));
  const missing: string[] = [];
  for (const { path, text } of all.filter(({ path }) => path.startsWith("packages/")))
    for (const [, name] of text.matchAll(/`([\w./-]+\.(?:ts|mjs|proto))`/g))
      if (!isThere(name!) && !isThere(name!.replace("/", "/src/"))) missing.push(`${path}: ${name}`);
  expect(missing).toEqual([]);
});

function withoutInlineCode(text: string): string {
  return withoutCode(text).replaceAll(/`[^`\n]*`/g, "");
}

/** Anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const headings = readFileSync(join(root, path), "utf8").matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading!
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-"),
    ),
  );
}
