import { expect, test } from "vitest";
import { checkStep } from "../testing/checkContract.js";
import { parseContractCases } from "./contractCases.js";
import { runProgram } from "./contractProgram.js";
import { genesisState, type TestState } from "./genesisState.js";

const nothing = genesisState([]);

/** Runs the only case of a file. */
function runCase(text: string): void {
  let state: TestState = nothing;
  for (const step of parseContractCases(
    `//: around\nnew c(\`rho:rchain:deployId\`) in { $$case$$ }\n//: case one\n${text}`,
    "x",
    "rnode",
  ).cases[0]!.steps) {
    const result = runProgram(state, step.program);
    checkStep(step, result);
    state = result.state;
  }
}

test.each([
  ["a right check", "c!(1 + 1, 2)"],
  ["several checks", "//: checks 2\nc!(1, 1) | c!(2, 2)"],
  ["silence", "//: silent\nfor (_ <- @0) { c!(1, 1) }"],
  ["an error that is expected", '//: fails `+`\n@0!(1 + "a")'],
  ["a later program that sees the state of the earlier", "//: silent\n@0!(7)\n//: then\nfor (@v <- @0) { c!(v, 7) }"],
  [
    "a failed program that leaves nothing",
    "//: fails +\n@0!(7) | @1!(1 + true)\n//: then\n//: silent\nfor (@v <- @0) { c!(v, 7) }",
  ],
  [
    "facts of the deploy",
    "//: deployer u2\n//: timestamp 5\nnew r, d(`rho:deploy:data`) in { d!(*r) | for (t, _, _ <- r) { c!(*t, $$timestamp$$) } }",
  ],
  ["facts of the block", "//: block 9\nnew r, d(`rho:block:data`) in { d!(*r) | for (n, _, _ <- r) { c!(*n, 9) } }"],
  [
    "the token of system deploys",
    '//: system\nnew t(`sys:casper:authToken`), o(`sys:authToken:ops`), r in { o!("check", *t, *r) | for (@v <- r) { c!(v, true) } }',
  ],
  ["a program without the surroundings", "//: alone\n//: silent\n@0!(1)"],
])("a case may hold %s", (_, text) => {
  runCase(text);
});

test.each([
  ["a wrong value", "c!(1, 2)"],
  ["silence", "Nil"],
  ["a second check", "c!(1, 1) | c!(1, 1)"],
  ["a check where none is expected", "//: silent\nc!(1, 1)"],
  ["a message of another length", "c!(1)"],
  ["an error", "c!(1, 1) | @0!(1 + true)"],
  ["success where an error is expected", "//: fails +\nNil"],
  ["too little phlo", "//: phlo 10\nc!(1, 1)"],
])("a case fails for %s", (_, text) => {
  expect(() => runCase(text)).toThrow();
});

test.each([
  ["//: cas x\nNil", "unknown directive"],
  ["//: phlo 1\n", "before the first case"],
  ["//: then\nNil", "before the first case"],
  ["//: case x\nNil\n//: case x\nNil", "same name"],
  ["//: case x\n//: fails\nNil", "needs a part"],
])("%j is refused", (text, message) => {
  expect(() => parseContractCases(text, "file.rho", "rnode")).toThrow(message);
});

test("cases may be about networks of one dialect, and state the differences of the other", () => {
  const text = [
    ...["//: case both", "//: fails one", "//: newer fails another", "Nil"],
    ...["//: case older", "//: dialect rnode", "Nil", "//: case newer", "//: dialect f1r3node", "Nil"],
  ].join("\n");
  const read = (dialect: "rnode" | "f1r3node") =>
    parseContractCases(text, "x", dialect).cases.map(({ name, steps }) => [name, steps[0]!.fails]);
  expect(read("rnode")).toEqual([
    ["both", "one"],
    ["older", undefined],
  ]);
  expect(read("f1r3node")).toEqual([
    ["both", "another"],
    ["newer", undefined],
  ]);
  const ofF1r3node = "//: dialect f1r3node\n//: case one\nNil";
  expect(parseContractCases(ofF1r3node, "x", "rnode").cases).toEqual([]);
  expect(parseContractCases(ofF1r3node, "x", "f1r3node").cases).toHaveLength(1);
});
