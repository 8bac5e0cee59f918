import { expect, test } from "vitest";
import { diagnose } from "./diagnose.js";

const found = (source: string) =>
  diagnose(source).map(({ start, end, message }) => [
    `(${start.line},${start.column})-(${end.line},${end.column})`,
    message,
  ]);

test.each([
  ["x", "(0,0)-(0,1)", "Top level free variables are not allowed: x at 1:1."],
  ["new x in { x }", "(0,11)-(0,12)", "Name variable: x at 1:5 used in process context at 1:12"],
  ["for (x <- @Nil; y <- @Nil) { x | y }", "(0,29)-(0,30)", "Name variable: x at 1:6 used in process context at 1:30"],
  ["Nil |\n  long", "(1,2)-(1,6)", "Top level free variables are not allowed: long at 2:3."],
  ["@1!(\u0007)", "(0,4)-(0,5)", expect.stringMatching(/^Illegal Character/)],
])("%j", (source, range, message) => {
  expect(found(source)).toEqual([[range, message]]);
});

test("a program that is right has none", () => expect(diagnose("new x in { x!(1) }")).toEqual([]));

test("an error without a place is the whole text's", () => {
  const [finding] = found("for (@{ _ \\/ 1 } <- @1) {\n Nil }");
  expect(finding?.[0]).toMatch(/^\(0,\d+\)-\(\d,\d+\)$/);
});
