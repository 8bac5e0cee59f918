import { StoreError } from "@vedette/store";
import { beforeAll, describe, expect, test } from "vitest";
import { TestChain, type TestDeploy } from "../testing/TestChain.js";
import type { DeployTry } from "./tryDeploys.js";

let chain: TestChain;
beforeAll(() => {
  chain = new TestChain();
});

const of = (deployer: string, term: string): TestDeploy => ({ deployer, term });
const long = `match { ${Array.from({ length: 30 }, (_, i) => `@${i}!(Nil)`).join("|")} } { { ~{_ | 1} | ~{_ | 2} | {~{_ | 3} /\\ {@99!(_)}} } => Nil }`;
const set = `@9!(Set(${Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 100_003).join(",")}))`;
const endless = "new l in { contract l(@n) = { l!(n + 1) } | l!(0) }";
const anyTime = { maximumMs: Number.POSITIVE_INFINITY, beginBeforeMs: Number.POSITIVE_INFINITY, names: [] };

/** A clock that goes on with every look; a share of its time is waiting for a free processor. */
function clock(stepMs: number, waits = 0) {
  let nowMs = 0;
  return { nowMs: () => (nowMs += stepMs), waitedMs: () => nowMs * waits };
}

/** Plays a block on the latest one, which the chain of the test replays and compares. */
function play(
  deploys: readonly TestDeploy[],
  more: { tries?: readonly DeployTry[]; stepMs?: number; waits?: number } = {},
) {
  const { played } = chain.add({ deploys, tries: more.tries, limits: clock(more.stepMs ?? 0, more.waits) });
  return {
    inBlock: played.deploys.map(({ deploy, failed }) => `${failed ? "failed " : ""}${deploy.term.slice(0, 20)}`),
    costs: played.deploys.map(({ cost }) => cost),
    leftOut: played.leftOut.map(({ index, reason }) => `${index}: ${reason}`),
    ofMachine: played.leftOut.map(({ isOfMachine = false }) => isOfMachine),
  };
}

describe("a block of deploys of which some cannot be executed", () => {
  test("has the others, and replays to the same state", () => {
    const deploys = [of("u1", "@0!(1)"), of("u2", "@1!(1 / 0)"), of("u1", "for (@x <- @0) { @2!(x) }")];
    expect(play(deploys)).toMatchObject({
      inBlock: ["@0!(1)", "for (@x <- @0) { @2!"],
      leftOut: ["1: / by zero"],
    });
  });

  test("has what ends with an error of the interpreter, failed and paid with all its phlo", () => {
    const failing = [of("u1", "@3!(1 + true)"), of("u2", '@4!("a".nth(1))'), of("u1", "@5!(1 / 0) | @6!(")];
    expect(play(failing)).toMatchObject({ leftOut: [], costs: [10_000_000n, 10_000_000n, 17n] });
  });

  test("has no trace of what was left out after it had done something", () => {
    const half = "@7!(1) | for (@x <- @8) { Nil } | for (@x <- @7) { @8!(x / 0) }";
    expect(play([of("u1", half), of("u2", "@8!(1) | @7!(2)")])).toMatchObject({
      inBlock: ["@8!(1) | @7!(2)"],
      leftOut: ["0: / by zero"],
    });
  });

  for (const [name, term] of Object.entries({ matching: long, compiling: set, evaluating: endless }))
    test(`ends ${name} when the time of the deploy is over`, () => {
      const tries = [0, 1].map((index) => ({ ...anyTime, index, maximumMs: 100 }));
      const deploys = [of("u1", term), of("u2", "@12!(1)")];
      expect(play(deploys, { tries, stepMs: 20 })).toMatchObject({
        inBlock: ["@12!(1)"],
        leftOut: [expect.stringMatching(/^0: time limit of 100 ms for one deploy: stopped after 1\d\d ms$/)],
      });
    });
});

test("a disk that fails while a deploy is executed ends the play, and no deploy is left out for it", () => {
  let looks = 0;
  const nowMs = () => {
    looks += 1;
    // The first two are made before the deploy begins.
    if (looks > 2) throw new StoreError({ code: "full", path: "data" });
    return 0;
  };
  const deploys = [of("u1", endless)];
  expect(() => chain.add({ deploys, limits: { nowMs } })).toThrow("The disk of data is full");
});

describe("on a busy machine", () => {
  const counting = "new l in { contract l(@n) = { if (n > 0) { l!(n - 1) } } | l!(1200) }";
  const tries = [0, 1].map((index) => ({ ...anyTime, index, maximumMs: 100, names: ["one"] }));

  test("what a deploy waits for a processor is not time that it takes", () => {
    const deploys = [of("u1", counting), of("u2", "@13!(1)")];
    expect(play(deploys, { tries, stepMs: 20 })).toMatchObject({ inBlock: [], ofMachine: [false] });
    expect(play(deploys, { tries, stepMs: 20, waits: 0.75 }).leftOut).toEqual([]);
  });

  test("a deploy that has not had its time when others have to go on is left out for the machine's sake, alone", () => {
    const { inBlock, leftOut, ofMachine } = play([of("u1", endless), of("u2", "@14!(1)")], {
      ...{ tries, stepMs: 20, waits: 0.95 },
    });
    expect(inBlock).toEqual(["@14!(1)"]);
    expect(leftOut).toEqual([
      "0: time limit of 100 ms for one deploy: stopped after 460 ms, 418 ms of them waiting for a free processor",
    ]);
    expect(ofMachine).toEqual([true]);
  });

  test("a deploy that has had its time is left out for its own", () => {
    const { leftOut, ofMachine } = play([of("u1", endless)], { tries, stepMs: 20, waits: 0.5 });
    expect(leftOut).toEqual(["0: time limit of 100 ms for one deploy: stopped after 260 ms"]);
    expect(ofMachine).toEqual([false]);
  });
});

describe("tries", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => of("u1", `@${20 + at}!(1)`));

  test("are made in their order, each deploy once", () => {
    const tries = [2, 0, 2, 1].map((index) => ({ ...anyTime, index }));
    expect(play(numbers(3), { tries }).inBlock).toEqual(["@22!(1)", "@20!(1)", "@21!(1)"]);
  });

  test("are passed over when they begin too late, until a later try of the same deploy", () => {
    const early = { ...anyTime, beginBeforeMs: 1 };
    const tries = [
      { ...early, index: 0 },
      { ...early, index: 1 },
      { ...anyTime, index: 2 },
      { ...anyTime, index: 1 },
    ];
    expect(play(numbers(3), { tries, stepMs: 0.6 }).inBlock).toEqual(["@20!(1)", "@22!(1)", "@21!(1)"]);
  });

  test("are passed over when one with the same name has failed", () => {
    const deploys = [of("u1", "@30!(1 / 0)"), ...numbers(2)];
    const tries = ["a", "a", "b"].map((name, index) => ({ ...anyTime, index, names: [name] }));
    expect(play(deploys, { tries }).inBlock).toEqual(["@21!(1)"]);
  });
});
