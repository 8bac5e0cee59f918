import { SplittableRandom } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import { evaluate } from "../evaluate/evaluate.js";
import { matchDatum } from "../match/matchPar.js";
import { installSystemProcesses } from "../system/install.js";

/** Sixty times what `step` makes of `x`, beginning with `seed`. */
export function doubling(seed: string, step: string): string {
  return `new l in { contract l(@x, @n) = { match n { 0 => Nil _ => l!(${step}, n - 1) } } | l!(${seed}, 60) }`;
}

/** How a program ends that has all the phlo there is: the message of what broke it off, or the kind of its result. */
export function outcomeOf(source: string): string {
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

export const tooLarge = /^A term would have \d+ bytes, more than the limit of 268435456$/;
export const tooMany = /^A term would have more than the limit of 4000000 parts side by side$/;
