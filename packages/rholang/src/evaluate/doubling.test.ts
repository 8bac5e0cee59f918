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
const tooMany = "A term would have more than the limit of 4000000 parts side by side";

test("terms that double with every step end long before they take the machine's memory, whatever the phlo", () => {
  expect(outcome(doubling('"0123456789abcdef".hexToBytes()', "x ++ x"))).toMatch(tooLarge);
  expect(outcome(doubling("[1]", "[x, x]"))).toMatch(tooLarge);
  expect(outcome(doubling("[Nil]", "x ++ x"))).toBe(tooMany);
});
