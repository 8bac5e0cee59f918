import { SplittableRandom } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { evaluate } from "../evaluate/evaluate.js";
import { matchDatum } from "../match/matchPar.js";
import { installSystemProcesses } from "../system/install.js";
import { parsingCost } from "./costs.js";

function charges(source: string, limit = 10000n) {
  const space = new PlaySpace(memoryStateStore(), matchDatum, emptyRoot);
  installSystemProcesses(space);
  const amounts: number[] = [];
  const result = evaluate({
    program: { source, environment: new Map() },
    space,
    phloLimit: limit,
    random: SplittableRandom.fromSeed(new Uint8Array(0)),
    mergeableTag: nil,
    replay: false,
    trace: { charged: (amount) => amounts.push(amount) },
  });
  if (result.kind !== "evaluated") throw result;
  return { amounts, result };
}

const loop = (indents: readonly number[]) =>
  ["new loop in {", "contract loop(@n) = {", "match n {", "0 => Nil", "_ => loop!(n-1)", "}", "} |", "loop!(10)", "}"]
    .map((line, index) => " ".repeat(indents[index]!) + line)
    .join("\n");

const keccak =
  "new ret, keccak256Hash(`rho:crypto:keccak256Hash`) in {\n" +
  '  keccak256Hash!("TEST".toByteArray(), *ret) |\n' +
  "  for (_ <- ret) { Nil }\n" +
  "}";

const mixed =
  "@1!(1) |\n" +
  "        for(x <- @1) { Nil } |\n" +
  "        new x in { x!(10) | for(X <- x) { @2!(Set(X!(7)).add(*X).contains(10)) }} |\n" +
  "        match 42 {\n" +
  "          38 => Nil\n" +
  "          42 => @3!(42)\n" +
  "        }\n" +
  "     ";

describe("the whole cost of a program (22 §8.1)", () => {
  test.each([
    ["@0!(2)", 97],
    ["@0!(2) | @1!(1)", 197],
    ["for(x <- @0){ Nil }", 128],
    ["for(x <- @0){ Nil } | @0!(2)", 329],
    ["@0!!(0) | for (_ <- @0) { 0 }", 342],
    ["@0!!(0) | for (x <- @0) { 0 }", 342],
    ["@0!!(0) | for (@0 <- @0) { 0 }", 336],
    ["@0!!(0) | @0!!(0) | for (_ <- @0) { 0 }", 443],
    ["@0!!(0) | @1!!(1) | for (_ <- @0 & _ <- @1) { 0 }", 596],
    ["@0!(0) | for (_ <- @0) { 0 }", 333],
    ["@0!(0) | for (x <- @0) { 0 }", 333],
    ["@0!(0) | for (@0 <- @0) { 0 }", 327],
    ["@0!(0) | for(@0 <- @0){ Nil }", 323],
    ["@0!(0) | for (_ <= @0) { 0 }", 354],
    ["@0!(0) | for (x <= @0) { 0 }", 356],
    ["@0!(0) | for (@0 <= @0) { 0 }", 341],
    ["@0!(0) | @0!(0) | for (_ <= @0) { 0 }", 574],
    ["@0!(0) | for (@0 <- @0) { 0 } | @0!(0) | for (_ <- @0) { 0 }", 663],
    ["@0!(0) | for (@0 <- @0) { 0 } | @0!(0) | for (@1 <- @0) { 0 }", 551],
    ["@0!(0) | for (_ <<- @0) { 0 }", 406],
    ["@0!!(0) | for (_ <<- @0) { 0 }", 343],
    ["@0!!(0) | @0!!(0) | for (_ <<- @0) { 0 }", 444],
    ["42 | @0!(2) | for (x <- @0) { Nil }", 336],
    [loop([0, 9, 11, 13, 13, 11, 9, 9, 7]), 3892],
    [loop([0, 2, 4, 6, 6, 4, 2, 2, 0]), 3836],
    [mixed, 1264],
    [keccak, 782],
    ["Nil", 3],
    ["42", 2],
    ["@0!()", 88],
    ["@0!(Nil)", 91],
    ["@Nil!(Nil)", 85],
    ['@0!("abc")', 107],
    ["@0!(1 + 2)", 104],
    ["@0!([1, 2, 3])", 143],
    ["new x in { x!(1) }", 199],
    ["new x, y in { x!(*y) }", 283],
    ["match 5 { 4 => Nil 5 => Nil }", 53],
    ["match 5 { x => @0!(x) }", 151],
    ["if (true) { @0!(1) }", 131],
    ["for (@x <- @0) { for (@y <- @1) { @2!(x) } }", 279],
    ["for (x <- @0 & y <- @1) { @2!(*x) } | @0!(1) | @1!(2)", 709],
    ["contract @0(x) = { Nil } | @0!(1) | @0!(2)", 573],
    ["@0!(1) | @1!(2) | for (_ <<- @0 & _ <<- @1) { Nil }", 722],
    ["for(_ <- @0){ new x in { Nil } }", 147],
    ['new stdout(`rho:io:stdout`) in { stdout!("hello") }', 298],
    ["new stdout(`rho:io:stdout`) in { for(@x <- @0) { stdout!(x) } | @0!(1) }", 652],
  ])("%j costs %i", (source, cost) => {
    const { result } = charges(source);
    expect(result).toMatchObject({ cost: BigInt(cost), errors: [] });
  });
});

describe("the charges of a program, one by one (22 §8.2)", () => {
  test.each([
    ["@0!(2)", "6 11 4 4 8 64"],
    ["for(x <- @0){ Nil }", "19 11 4 11 0 19 64"],
    ["for(x <- @0){ Nil } | @0!(2)", "28 11 4 4 8 64 11 4 11 0 19 -19 -8 64 128"],
    ["@0!!(0) | for (_ <- @0) { 0 }", "29 11 4 4 8 64 11 4 11 4 21 -21 0 64 128"],
    ["@0!(0) | for (x <= @0) { 0 }", "28 11 4 4 8 64 11 4 11 4 23 -23 -8 128 23 64"],
    ["@0!(0) | for (_ <<- @0) { 0 }", "29 11 4 4 8 64 11 4 11 4 21 -21 -8 64 128 8 64"],
    ["@0!!(0) | @1!!(1) | for (_ <- @0 & _ <- @1) { 0 }", "49 11 4 4 8 64 11 4 4 8 64 11 4 11 4 11 4 38 -38 0 96 224"],
    ["new x in { x!(1) }", "18 12 11 10 38 4 42 64"],
    ["match 5 { x => @0!(x) }", "23 12 4 11 11 10 4 4 8 64".replace("11 11 10 4 4", "11 11 4 10 4")],
    // The reply comes after the receive here: the sum is the chapter's, the order need not be (22 §6).
    [keccak, "129 14 11 10 13 10 8 8 10 13 38 58 0 -58 64 128 11 10 38 11 0 51 64 75 -51 -75 64 128"],
  ])("%j", (source, amounts) => {
    expect(
      charges(source)
        .amounts.map((amount) => (amount === 0 ? 0 : amount))
        .join(" "),
    ).toBe(amounts);
  });
});

describe("a limit below the cost (22 §8.7)", () => {
  test.each(["@1!(1) | @2!(2) | @3!(3)", "@0!(0) | for (x <= @0) { 0 }", keccak])(
    "%j fails with out-of-phlo at every limit below its cost and succeeds from there on",
    (source) => {
      const { amounts } = charges(source);
      let balance = 0;
      let peak = 0;
      for (const amount of amounts) peak = Math.max(peak, (balance += amount));
      for (let limit = 1; limit <= peak; limit += limit < peak - 8 ? 7 : 1) {
        const { result } = charges(source, BigInt(limit));
        if (limit === peak) expect(result.errors).toEqual([]);
        else
          expect(result).toMatchObject({
            cost: BigInt(limit),
            errors: [{ failure: { class: "OutOfPhlogistonsError" } }],
          });
      }
    },
  );

  test("the charge that runs out is the last one", () => {
    expect(charges("@1!(1) | @2!(2) | @3!(3)", 35n).amounts).toEqual([24, 11, 4]);
    expect(charges("@1!(1)", 6n).amounts).toEqual([6, 11]);
    expect(charges("@1!(1)", 5n).amounts).toEqual([6]);
  });
});

test("a program pays for its text by the bytes of its UTF-8 form", () => {
  for (const text of ["", "abc", "é漢😀", "\ud800", "a\udc00b", "\ud83d", "😀\ud83d\ud83d\ude00"])
    expect(parsingCost(text)).toBe(
      Buffer.from(text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "?")).length,
    );
});
