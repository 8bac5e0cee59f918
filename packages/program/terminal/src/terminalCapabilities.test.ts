import { expect, test } from "vitest";
import { canPaint, coloursOf, type Output } from "./terminalCapabilities.js";

const terminal: Output = { isTTY: true, hasColors: () => true };
const poor: Output = { isTTY: true, hasColors: () => false };
const pipe: Output = {};

test("only an interactive terminal is painted on", () => {
  expect(canPaint(terminal, {})).toBe(true);
  expect(canPaint(terminal, { CI: "false", NO_COLOR: "1" })).toBe(true);
  expect([canPaint(pipe, {}), canPaint(terminal, { CI: "true" }), canPaint(terminal, { TERM: "dumb" })]).toEqual([
    false,
    false,
    false,
  ]);
});

test("colours are for terminals that have them, unless the user wants none", () => {
  expect(coloursOf(terminal, {})("red", "word")).toBe("\x1b[31mword\x1b[0m");
  expect(coloursOf(terminal, { NO_COLOR: "" })("dim", "word")).toBe("\x1b[2mword\x1b[0m");
  for (const paint of [coloursOf(terminal, { NO_COLOR: "1" }), coloursOf(poor, {}), coloursOf(pipe, {})])
    expect(paint("red", "word")).toBe("word");
});
