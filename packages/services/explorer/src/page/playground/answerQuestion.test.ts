import type { NetworkDialect } from "@vedette/client";
import { describe, expect, test } from "vitest";
import { LanguageServer } from "./answerQuestion.js";
import { examples, examplesOn } from "./examples.js";
import type { Proposed, Remark } from "./languageMessages.js";

const ask = (kind: "check" | "format", source: string, dialect: NetworkDialect = "rnode") => {
  const reply = new LanguageServer().answer({ id: 1, kind, dialect, source });
  return "answer" in reply ? reply.answer : reply.problem;
};

describe("every example", () => {
  test.each(examples)("$title is a program, without a remark of the linter, laid out as all are", ({ source }) => {
    expect(ask("check", source)).toEqual([]);
    expect(ask("format", source)).toBe(source);
  });

  test.each(examplesOn("f1r3node"))("$title is one on f1r3node networks", ({ source }) => {
    expect(ask("check", source, "f1r3node")).toEqual([]);
  });
});

test("what is wrong is reported with its place", () => {
  const [remark] = ask("check", "new x in { x!(1 }") as Remark[];
  expect(remark?.severity).toBe("error");
  expect(remark!.start).toBeGreaterThan(10);
});

test("each network has its own grammar, also for a text that stays as it is", () => {
  const source = "match 1 { x where x > 0 => @0!(1.5) }";
  const language = new LanguageServer();
  const remarksOn = (dialect: NetworkDialect) => language.answer({ id: 1, kind: "check", dialect, source });
  expect(remarksOn("rnode")).toMatchObject({ answer: [{ severity: "error", rule: "SyntaxError" }] });
  expect(remarksOn("f1r3node")).toEqual({ id: 1, answer: [] });
});

test("names, methods and channels are proposed where they fit", () => {
  const language = new LanguageServer();
  const propose = (source: string, dialect: NetworkDialect = "rnode") => {
    const reply = language.answer({ id: 1, kind: "propose", dialect, source, offset: source.length });
    return ("answer" in reply ? (reply.answer as Proposed[]) : []).map(({ label }) => label);
  };
  expect(propose("[1].")).toContain("nth");
  expect(propose("new x(`rho:")).toContain("rho:io:stdout");
  expect(propose("new x(`rho:", "f1r3node")).toContain("rho:vault:address");
});

test("a text that cannot be laid out is a problem, not a crash", () => {
  expect(ask("format", "new x in {")).toMatch(/./);
  expect(new LanguageServer().answer({ id: 7, kind: "format", dialect: "rnode", source: "{" })).toMatchObject({
    id: 7,
    problem: expect.any(String),
  });
});
