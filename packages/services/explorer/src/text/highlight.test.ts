import { expect, test } from "vitest";
import { linesOfCode, piecesOfCode } from "./highlight.js";

const kinds = (source: string) =>
  piecesOfCode(source)
    .filter(({ kind }) => kind !== undefined)
    .map(({ text, kind }) => `${kind}:${text}`);

test("words of the language, texts, numbers, places and comments have colours", () => {
  expect(kinds('new x(`rho:io:stdout`) in { x!("in // \\" it", 12) } // new')).toEqual([
    "word:new",
    "place:`rho:io:stdout`",
    "word:in",
    'text:"in // \\" it"',
    "number:12",
    "note:// new",
  ]);
  expect(kinds("/* for\n */ newer")).toEqual(["note:/* for\n */"]);
  expect(kinds("x where x > 1.5e3f64 => 2.nth(1u8, 3r)")).toEqual([
    ...["word:where", "number:1.5e3f64", "number:2", "number:1u8", "number:3r"],
  ]);
});

test("a text is a name where something is sent to it or received from it, and never over several lines", () => {
  const names = (source: string) =>
    linesOfCode(source)
      .flat()
      .filter(({ isName }) => isName)
      .map(({ text }) => text);
  expect(names('@"shelf"!("book") | for (@x <- @"two words") { Nil }')).toEqual(['"shelf"', '"two words"']);
  expect(names('contract @"ask"(@"pattern", x) = { x!("value") } | for (@"other" <<- @"seen") { Nil }')).toEqual([
    ...['"ask"', '"seen"'],
  ]);
  expect(names('@"over\ntwo lines"!(1) // @"no"')).toEqual([]);
});

test("no character is lost or added, whatever the program is", () => {
  for (const source of ['"never ends', "/* never ends", "`open", "\u0000\\", "a\r\nb", "", "x".repeat(10_000)])
    expect(
      piecesOfCode(source)
        .map(({ text }) => text)
        .join(""),
    ).toBe(source);
});

test("lines end where the program's do, inside of comments too", () => {
  expect(linesOfCode("/* a\nb */\r\nNil").map((line) => line.map(({ text }) => text).join(""))).toEqual([
    "/* a",
    "b */",
    "Nil",
  ]);
});
