import { expect, test } from "vitest";
import { taggedSections } from "./rules.js";

test("a tag names sections of several chapters, for the declaration behind its comment", () => {
  const text = `/** Checks. @spec 40 §3.8, §5.3 (check 7), 30 §A.2 */\nexport async function checkAll() {}\n`;
  expect(taggedSections(text)).toEqual([
    { section: "40 §3.8", name: "checkAll" },
    { section: "40 §5.3", name: "checkAll" },
    { section: "30 §A.2", name: "checkAll" },
  ]);
});

test("a tag of a member is one of its file, and a chapter alone names no section", () => {
  expect(taggedSections("class A {\n  /** @spec 10 §2 */\n  b(): void {}\n}\n")).toEqual([
    { section: "10 §2", name: undefined },
  ]);
  expect(taggedSections("/** @spec 61 */\nconst a = 1;\n")).toEqual([]);
});
