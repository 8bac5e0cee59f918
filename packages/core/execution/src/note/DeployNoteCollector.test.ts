import { InterpreterError } from "@vedette/rholang";
import { GString, parOfExpr, rnodeTerms } from "@vedette/terms";
import { expect, test } from "vitest";
import { DeployNoteCollector, noteLimits } from "./DeployNoteCollector.js";

const text = (value: string) => parOfExpr(new GString(value));
const error = (words: string) => new InterpreterError({ class: "ReduceError", text: words });

test("what a program wrote stays with it, and the next deploy begins with nothing", () => {
  const taker = new DeployNoteCollector(rnodeTerms);
  taker.output("stdout", text("a"));
  taker.output("stderr", text("b"));
  const at = { line: 3, column: 7, offset: 20 };
  const note = taker.take([error("wrong"), new InterpreterError({ class: "LexerError", character: "#", at })]);
  expect(note).toEqual({
    prints: [
      { stream: "stdout", text: '"a"' },
      { stream: "stderr", text: '"b"' },
    ],
    faults: [
      { class: "ReduceError", text: "wrong" },
      { class: "LexerError", text: "Illegal Character <#> at 3:7(20)", line: 3, column: 7 },
    ],
    isCut: false,
  });
  expect(taker.take([])).toEqual({ prints: [], faults: [], isCut: false });
});

test("of much output, of long texts and of many errors a part is kept, and that it is one", () => {
  const taker = new DeployNoteCollector(rnodeTerms);
  for (let deploy = 0; deploy < 10; deploy += 1) {
    for (let print = 0; print < 100; print += 1) taker.output("stdout", text("x"));
    const { prints, isCut } = taker.take([]);
    expect(prints).toHaveLength(deploy < 4 ? noteLimits.printsOfDeploy : 0);
    expect(isCut).toBe(true);
  }
  const other = new DeployNoteCollector(rnodeTerms);
  other.output("stdout", text("y".repeat(2_000)));
  other.output("stdout", text("z".repeat(1 << 20)));
  const { prints, faults, isCut } = other.take(Array.from({ length: 1_000 }, () => error("e".repeat(5_000))));
  expect(prints.map((print) => print.text.length)).toEqual([noteLimits.text, "(a term of 1048580 bytes)".length]);
  expect(faults.map((fault) => fault.text.length)).toEqual(Array(noteLimits.faultsOfDeploy).fill(noteLimits.text));
  expect(isCut).toBe(true);
});

test("the terms of a block that are printed have a size together", () => {
  const taker = new DeployNoteCollector(rnodeTerms);
  const shortened = Array.from({ length: 20 }, () => {
    taker.output("stdout", text("x".repeat(4_000)));
    return taker.take([]).prints[0]!.text.startsWith("(a term of");
  });
  expect(shortened.indexOf(true)).toBe(16);
});
