import { expect, test } from "vitest";
import { csvOf } from "./csv.js";

test("cells are quoted where they have to be, and none is a formula", () => {
  expect(
    csvOf(
      ["a", "b"],
      [
        ["1,5", 'say "x"'],
        ["=1+1", "-12.5"],
        ["@SUM(A1)", "two\nlines"],
      ],
    ),
  ).toBe(`a,b\r\n"1,5","say ""x"""\r\n'=1+1,-12.5\r\n'@SUM(A1),"two\nlines"\r\n`);
});
