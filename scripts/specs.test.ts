import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const protocol = join(root, "docs", "protocol");

/** The numbers of the headings of each chapter, by the chapter's number. */
const chapters = new Map(
  readdirSync(protocol).map((file) => {
    const headings = readFileSync(join(protocol, file), "utf8").matchAll(/^#{1,6} +(\d+(?:\.\d+)*)[.\s]/gm);
    return [file.slice(0, 2), new Set([...headings].map(([, number]) => number!))] as const;
  }),
);

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "dist" || entry.name === "node_modules") return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** Returns the sections in a `@spec` that do not exist. */
function missing(spec: string): string[] {
  const faults: string[] = [];
  if (!/§|\(opening\)/.test(spec)) faults.push("no section");
  let chapter: string | undefined;
  for (const [, other, own, section] of spec.matchAll(/(RFC \d+ )?(?:\b(\d\d) )?§(\d+(?:\.\d+)*)/g)) {
    if (other !== undefined) continue;
    chapter = own ?? chapter;
    const isThere = chapter !== undefined && chapters.get(chapter)?.has(section!);
    // As in `40 (opening), §1.1`.
    const opening = /^(\d\d) \(opening\)/.exec(spec)?.[1];
    if (isThere !== true && chapters.get(opening ?? "")?.has(section!) !== true) faults.push(`${chapter} §${section}`);
  }
  return faults;
}

test("every section of the protocol that the code names is there", () => {
  let named = 0;
  const faults: string[] = [];
  const paths = ["packages", "contracts"].flatMap((folder) => sources(join(root, folder)));
  // The code that reads the tags has patterns and examples of them.
  for (const path of paths.filter((one) => !/\/pages\/rules(\.test)?\.ts$/.test(one)))
    for (const [, spec] of readFileSync(path, "utf8").matchAll(/@spec ([^\n*]*)/g)) {
      named += 1;
      for (const fault of missing(spec!.trim()))
        faults.push(`${path.slice(root.length)}: ${fault} in "${spec!.trim()}"`);
    }
  expect(faults).toEqual([]);
  expect(named).toBeGreaterThan(1_000);
});
