import { describe, expect, test } from "vitest";
import { Language } from "./answerQuestion.js";
import { examples } from "./examples.js";
import type { Proposed, Remark } from "./languageMessages.js";

const ask = (kind: "check" | "format", source: string) => {
  const reply = new Language().answer({ id: 1, kind, source });
  return "answer" in reply ? reply.answer : reply.problem;
};

describe("every example", () => {
  test.each(examples)("$title is a program, without a remark of the linter, laid out as all are", ({ source }) => {
    expect(ask("check", source)).toEqual([]);
    expect(ask("format", source)).toBe(source);
  });
});

test("what is wrong is told with its place", () => {
  const [remark] = ask("check", "new x in { x!(1 }") as Remark[];
  expect(remark?.severity).toBe("error");
  expect(remark!.start).toBeGreaterThan(10);
});

test("names, methods and channels are proposed where they fit", () => {
  const language = new Language();
  const propose = (source: string) => {
    const reply = language.answer({ id: 1, kind: "propose", source, offset: source.length });
    return ("answer" in reply ? (reply.answer as Proposed[]) : []).map(({ label }) => label);
  };
  expect(propose("[1].")).toContain("nth");
  expect(propose("new x(`rho:")).toContain("rho:io:stdout");
});

test("a text that cannot be laid out is a problem, not a crash", () => {
  expect(ask("format", "new x in {")).toMatch(/./);
  expect(new Language().answer({ id: 7, kind: "format", source: "{" })).toMatchObject({
    id: 7,
    problem: expect.any(String),
  });
});
