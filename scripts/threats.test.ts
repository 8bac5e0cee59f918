import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const text = (path: string) => readFileSync(join(root, path), "utf8");

/** Rows of the table of threats: number, file of the test, its title where the file has several. */
const rows = [
  ...text("docs/explanation/security.md").matchAll(/^\| ([A-Z]\d+[a-z]?) \|.*\| `([^`|]+\.test\.ts)` ?([^|]*?) \|$/gm),
].map(([, number, path, title]) => ({ number: number!, path: path!, title: title! }));

test("every threat has a row with a test", () => {
  const all = text("docs/explanation/security.md").match(/^\| [A-Z]\d+\w* \|/gm) ?? [];
  expect(all.length).toBeGreaterThan(80);
  expect(all).toContain("| K4a |");
  expect(rows.map(({ number }) => `| ${number} |`)).toEqual(all);
  expect(new Set(all).size).toBe(all.length);
});

test.each(rows)("the test of threat $number is there", ({ path, title }) => {
  const code = text(path);
  // Without a title the file is about that threat alone.
  if (title === "") expect(code.match(/\btest(\.\w+)?\(/g)?.length).toBeGreaterThan(0);
  else expect(code.replace(/\s+/g, " ")).toContain(title);
});

test("the tests of bad input that are quoted are there", () => {
  const quotes = [
    ...text("docs/explanation/input-validation.md").matchAll(/`(packages\/[^`]+\.ts)`((?:,? ?"[^"]+")+)/g),
  ].flatMap(([, path, titles]) =>
    [...titles!.matchAll(/"([^"]+)"/g)].map(([, title]) => ({ path: path!, title: title! })),
  );
  expect(quotes.length).toBeGreaterThan(20);
  // An ellipsis may leave out any text.
  const isThere = ({ path, title }: (typeof quotes)[number]) =>
    title.split("…").every((part) => text(path).includes(part.replace(/^, | ?,? $|, $/g, "")));
  expect(quotes.filter((quote) => !isThere(quote))).toEqual([]);
});

test("every attack of the hostile suite has a row that says what it costs", () => {
  const folder = "packages/development/e2e/src/security/attacks";
  const names = readdirSync(join(root, folder)).flatMap(
    (file) => /^ {2}name: "(.+)",$/m.exec(text(`${folder}/${file}`))?.[1] ?? [],
  );
  const programs = [...text(`${folder}/programFloods.ts`).matchAll(/httpFloods<\w+>\("(.+?)"/g)];
  const floods = [...text(`${folder}/httpFloods.ts`).matchAll(/^ {4}attack\("(.+?)"/gm)];
  for (const [, program] of programs) for (const [, flood] of floods) names.push(`${program}: ${flood}`);
  const [, costs = ""] = text("docs/explanation/security.md").split("## What an attack costs");
  const listed = [...costs.split("\n## ")[0]!.matchAll(/^\| (.+?) \| \d/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(15);
  expect(listed.sort()).toEqual(names.sort());
});
