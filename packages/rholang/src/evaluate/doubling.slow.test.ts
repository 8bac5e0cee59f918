import { SplittableRandom } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { matchDatum } from "../match/matchPar.js";
import { installSystemProcesses } from "../system/install.js";
import { evaluate } from "./evaluate.js";

function outcome(source: string): string {
  const space = new PlaySpace(memoryStateStore(), matchDatum, emptyRoot);
  installSystemProcesses(space);
  const result = evaluate({
    program: { source, environment: new Map() },
    space,
    phloLimit: 2n ** 63n - 1n,
    random: SplittableRandom.fromSeed(new Uint8Array(0)),
    mergeableTag: nil,
    replay: false,
  });
  return result.kind === "broken" ? result.cause.message : result.kind;
}

const doubling = (seed: string, step: string) =>
  `new l in { contract l(@x, @n) = { match n { 0 => Nil _ => l!(${step}, n - 1) } } | l!(${seed}, 60) }`;

const tooLarge = /^A term would have \d+ bytes, more than the limit of 268435456$/;
const tooLong = /^A text would be longer than the limit of 67108864 characters$/;
const tooMany = "A term would have more than the limit of 4000000 parts side by side";

test.each([
  ["texts", doubling('"12345678"', "x ++ x"), tooLong],
  ["filled-in texts", doubling('"12345678"', '"$' + "{x}$" + '{x}" %% {"x": x}'), tooLong],
  ["nested maps", doubling("1", "{1: x, 2: x}"), tooLarge],
  ["encodings", doubling("[1]", "[x.toByteArray(), x.toByteArray()]"), tooLarge],
  ["processes", doubling("{@0!()}", "{x | x}"), new RegExp(`^${tooMany}$`)],
])("doubling of %s ends long before it takes the machine's memory", (_, source, message) => {
  expect(outcome(source)).toMatch(message);
});
