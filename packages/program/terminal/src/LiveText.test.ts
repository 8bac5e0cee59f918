import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, cutLine, LiveText, wrapLine } from "./LiveText.js";
import { EmulatedTerminal } from "./testing/EmulatedTerminal.js";

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
];

describe.each(sizes)("on a terminal of $columns columns and $rows rows", ({ columns, rows }) => {
  test("each of the first screens is whole, when lines come in the middle, at the end, and go", async () => {
    const terminal = new EmulatedTerminal(columns, rows);
    terminal.write("what was there before\r\n");
    let lines: string[] = [];
    const live = new LiveText(terminal, () => lines);
    const table = ["node       state", "bootstrap  starting"];
    const screens = [
      [...table, "", "footer"],
      [...table, "", "12:00:00 first line", "", "footer"],
      [...table, "", "12:00:00 first line", "12:00:01 second line", "", "footer"],
      [table[0]!, "bootstrap  running", "validator1 starting", "", "12:00:01 second line", "", "footer"],
      ["node", "", "other footer"],
      [table[0]!, "bootstrap  running", "validator1 running", "", "footer"],
    ];
    for (const screen of screens) {
      lines = screen;
      live.paint();
      expect(await terminal.lines()).toEqual(["what was there before", ...screen]);
    }
    live.end();
    terminal.write("what comes after\r\n");
    expect(await terminal.lines()).toEqual(["what was there before", ...screens.at(-1)!, "what comes after"]);
  });

  test("what is longer than the screen is cut, and painted in its place", async () => {
    const terminal = new EmulatedTerminal(columns, rows);
    let round = 0;
    const all = () => Array.from({ length: rows * 3 }, (_, at) => `round ${round} line ${at} ${"x".repeat(columns)}`);
    const live = new LiveText(terminal, all);
    for (round = 1; round <= 4; round += 1) {
      live.paint();
      const shown = await terminal.lines();
      expect(shown).toHaveLength(rows);
      expect(shown.every((line, at) => line.startsWith(`round ${round} line ${at} `))).toBe(true);
      expect(new Set(shown.map((line) => line.length))).toEqual(new Set([columns]));
    }
  });
});

test("whatever is painted and however the terminal is made smaller or larger, the last painting is whole", async () => {
  const line = fc.oneof(fc.constant(""), fc.stringMatching(/^[a-z]{1,120}$/), fc.constant("\x1b[31mred\x1b[0m word"));
  const painting = fc.array(line, { minLength: 1, maxLength: 40 });
  const size = fc.record({ columns: fc.integer({ min: 20, max: 220 }), rows: fc.integer({ min: 5, max: 60 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ painting, size: fc.option(size) }), { maxLength: 8 }), async (steps) => {
      const terminal = new EmulatedTerminal(80, 24);
      let lines: string[] = [];
      const live = new LiveText(terminal, () => lines);
      for (const step of steps) {
        lines = [...step.painting.slice(0, -1), "the end"];
        live.paint();
        if (step.size !== null) await terminal.resize(step.size.columns, step.size.rows);
        const shown = await terminal.lines();
        const expected = lines.slice(0, terminal.rows).map((text) => plain(cutLine(text, terminal.columns)));
        while (expected.at(-1) === "") expected.pop();
        expect(shown.slice(shown.length - expected.length)).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});

test("a line is cut by what is seen of it: colours have no width and end with the line", () => {
  expect(cutLine("\x1b[31mred\x1b[0m and more", 6)).toBe("\x1b[31mred\x1b[0m a\x1b[0m…");
  expect(columnsOf(cutLine("\x1b[31mred\x1b[0m and more", 6))).toBe(6);
  expect(cutLine("as it is", 8)).toBe("as it is");
  expect(cutLine("anything", 0)).toBe("");
});

test("a line is broken between words", () => {
  expect(wrapLine("one two three four", 9)).toEqual(["one two", "three", "four"]);
  expect(wrapLine("immeasurable word", 5)).toEqual(["immeasurable", "word"]);
  expect(wrapLine("", 5)).toEqual([""]);
});

function plain(text: string): string {
  return stripVTControlCharacters(text).trimEnd();
}
