import { expect, test } from "vitest";
import { piecesOfText, plainText } from "./hiddenCharacters.js";

test("what turns the direction of writing, or is not seen at all, is shown by its number", () => {
  expect(plainText("pay \u202Eecila\u202C")).toBe("pay ⟨U+202E⟩ecila⟨U+202C⟩");
  expect(plainText("a\u200Bb\u0000c\uFEFF\u2066\u{E0041}\u00AD")).toBe(
    "a⟨U+200B⟩b⟨U+0000⟩c⟨U+FEFF⟩⟨U+2066⟩⟨U+E0041⟩⟨U+00AD⟩",
  );
  expect(plainText("\uD800")).toBe("⟨U+D800⟩");
});

test("what people write stays as it is", () => {
  for (const text of ["contract add(@x, ret) = {\n\tret!(x + 1)\n}", "Grüße, 世界, שלום, 👋", ""])
    expect(plainText(text)).toBe(text);
  expect(piecesOfText("ab")).toEqual([{ text: "ab", isStrange: false }]);
});

test("markup is text like any other", () => {
  expect(piecesOfText("<img src=x onerror=alert(1)>")).toEqual([
    { text: "<img src=x onerror=alert(1)>", isStrange: false },
  ]);
});
