import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const packages = new URL("../../../../", import.meta.url);
const chapter = readFileSync(new URL("../docs/protocol/50-apis-config-operations.md", packages), "utf8");

/** Lines that Vedette words otherwise, with the place of its own wording. */
const worded: ReadonlyMap<string, string> = new Map([
  ["Propose finished: <status> Block <short> created and added.", "Propose finished: ProposeSuccess(Valid) Block "],
]);

/** The first column of the table of 50 §6.2: each text in quotes, without what follows in brackets. */
function watchedLines(): string[] {
  const table = chapter.slice(chapter.indexOf("\n### 6.2 "), chapter.indexOf("\n### 6.3 "));
  const cells = table
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(/(?<!\\) \| /)[0]!.slice(2));
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1]!));
}

/** Returns the parts of a line that do not change: texts between placeholders, and words that may end a line. */
function fixedParts(line: string): string[] {
  return line
    .replace("Response sent.", "<response>")
    .split(/#<n> \(<10 hex>\.\.\.\)|\[<10 hex>\.\.\. <10 hex>\.\.\.\]|<[abc]>s|<[^<>]+>(?:\.\.\.)?|…/)
    .map((part) => part.trim())
    .filter((part) => /[a-z]{3}/i.test(part));
}

function sources(folder: string): string {
  const root = fileURLToPath(new URL(folder, packages));
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(`${root}/${name}`, "utf8"))
    .join("\n");
}

// The log lines are worded in these places.
const text = [sources("program/node/src/observe"), sources("program/node/src/start"), sources("network/sync/src")]
  .join("\n")
  // Texts over several lines of source are one.
  .replace(/[`"'] \+\n\s*[`"']/g, "");

describe("every line that people and scripts watch has its source", () => {
  const lines = watchedLines();
  test("and there are many", () => expect(lines.length).toBeGreaterThan(40));
  test.each(lines)("%s", (line) => {
    const parts = fixedParts(worded.get(line) ?? line);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(text.includes(part), part).toBe(true);
  });
});
