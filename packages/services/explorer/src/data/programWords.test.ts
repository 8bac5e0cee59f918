import { expect, test } from "vitest";
import { snippetOf, wordsOf } from "./programWords.js";

test("words are sought, numbers and digits of hashes are not", () => {
  expect(wordsOf("hello lantern_2")).toEqual(["hello", "lantern_2"]);
  expect(wordsOf('@"kept"!(1)')).toEqual(["kept", "1"]);
  for (const text of ["12", "#12", "0xabcdef12", "deadbeef", "a b", "!?", "x ".repeat(150), "a b c d e f g hij k"])
    expect([text, wordsOf(text)]).toEqual([text, []]);
});

test("a program is shown around the first word, on one line", () => {
  const program = `${"new x in { ".repeat(9)}\n  @"Lantern"!(1) |\n  Nil ${"}".repeat(99)}`;
  expect(snippetOf(program, ["lantern"])).toMatch(/^….*@"Lantern"!\(1\) \| Nil \}+…$/);
  expect(snippetOf("Nil", ["nil"])).toBe("Nil");
  expect(snippetOf("", ["nil"])).toBe("");
  expect(snippetOf("@1!(2)", ["gone"])).toBe("@1!(2)");
});
