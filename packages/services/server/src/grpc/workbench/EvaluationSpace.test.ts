import { SplittableRandom } from "@vedette/crypto";
import { describe, expect, test } from "vitest";
import { EvaluationSpace } from "./EvaluationSpace.js";

function startSpace() {
  let count = 0;
  const space = new EvaluationSpace(() => SplittableRandom.fromSeed(new TextEncoder().encode(`seed ${count++}`)));
  return (source: string, unmatchedSendsOnly = false, maxSteps = 100_000) =>
    space.run({ source, unmatchedSendsOnly }, { maxSteps });
}

describe("what a program leaves", () => {
  test("is shown, and seen by the next one", () => {
    const run = startSpace();
    expect(run("@1!(2)").output).toMatch(/^Deployment cost: Cost\(\d+,\)\nStorage Contents:\n@\{1\}!\(2\)$/);
    const { output } = run("for (@x <- @1) { @3!(x) } | for (_ <- @4) { Nil }");
    expect(output).toContain("@{3}!(2)");
    expect(output).not.toContain("@{1}!");
    expect(output).toContain("for( @{_} <- @{4} ) {\n  Nil\n}");
    expect(run("Nil", true).output).toMatch(/Storage Contents:\n@\{3\}!\(2\)$/);
  });

  test("is said to be nothing when it is", () => {
    const run = startSpace();
    expect(run("1 + 1").output).toMatch(
      /Storage Contents:\nThe space is empty\. Note that top level terms that are not sends or receives are discarded\.$/,
    );
    expect(run("Nil", true).output).toMatch(/Storage Contents:\nNo unmatched sends\.$/);
  });

  test("can use the built-in processes, and print", () => {
    const { output, printed } = startSpace()('new out(`rho:io:stdout`) in { out!([1, "two"]) }');
    expect(printed).toEqual(['stdout: [1, "two"]']);
    expect(output).toContain("The space is empty.");
  });
});

describe("errors", () => {
  test("of the compiler are returned alone", () => {
    expect(startSpace()("x").output).toBe(
      "Error: coop.rchain.rholang.interpreter.errors$TopLevelFreeVariablesNotAllowedError: Top level free variables are not allowed: x at 1:1.",
    );
  });

  test("of the evaluation are listed", () => {
    const { output } = startSpace()('@1!(1 + "a")');
    expect(output).toMatch(
      /^Deployment cost: Cost\(9223372036854775807,\)\nErrors received during evaluation:\ncoop\.rchain\.rholang\.interpreter\.errors\$\S+: .*\nStorage Contents:\n/,
    );
  });

  test("a program without end is stopped, and leaves nothing", () => {
    const run = startSpace();
    run("@1!(2)");
    const { output } = run("new loop in { contract loop() = { @5!(5) | loop!() } | loop!() }", false, 5_000);
    expect(output).toBe("Error: The program was stopped: it took too many steps. The space is as it was before.");
    expect(run("Nil", true).output).toMatch(/Storage Contents:\n@\{1\}!\(2\)$/);
  });
});
