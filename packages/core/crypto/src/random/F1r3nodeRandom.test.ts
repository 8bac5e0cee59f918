import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../bytes/hex.js";
import { F1r3nodeRandom } from "./F1r3nodeRandom.js";
import type { Random, RandomForm } from "./Random.js";
import { RandomError } from "./RandomError.js";
import { SplittableRandom } from "./SplittableRandom.js";

type Step = { readonly kind: "next" | "copy" | "splitByte" | "splitShort"; readonly index: number };
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("next" as const, "copy" as const, "splitByte" as const, "splitShort" as const),
    index: fc.nat(0xffff),
  }),
  { maxLength: 50 },
);

/** Returns the values that a generator draws on its way, and its last state. */
function walk<Generator extends Random<Generator>>(
  random: Generator,
  way: readonly Step[],
): { readonly drawn: readonly string[]; readonly end: Generator } {
  const drawn: string[] = [];
  let at = random;
  for (const { kind, index } of way) {
    if (kind === "next") drawn.push(toHex(at.next()));
    else if (kind === "copy") at = at.copy();
    else at = at[kind](index);
  }
  return { drawn, end: at };
}

/** Returns the values that are drawn after a merge of generators that went these ways. */
function drawnAfterMerge<Generator extends Random<Generator>>(
  form: RandomForm<Generator>,
  seed: Uint8Array,
  ways: readonly (readonly Step[])[],
): readonly string[] {
  const children = ways.map((way) => walk(form.fromSeed(seed), way));
  const merged = form.merge(children.map(({ end }) => end));
  const next = [merged.next(), merged.next(), merged.next()].map(toHex);
  return [...children.flatMap(({ drawn }) => drawn), ...next];
}

describe("the generator of the newer node", () => {
  test("draws what f1r3node's draws, along paths of up to 112 bytes and merges of up to four", () => {
    const seeds = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(seeds, fc.array(steps, { minLength: 2, maxLength: 4 }), (seed, ways) => {
        expect(drawnAfterMerge(F1r3nodeRandom, seed, ways)).toEqual(drawnAfterMerge(SplittableRandom, seed, ways));
      }),
    );
  });

  test("values that are skipped leave the state that they leave when they are drawn", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), steps, fc.nat(600), (seed, way, count) => {
        const { end } = walk(F1r3nodeRandom.fromSeed(seed), way);
        const skipped = end.fork();
        skipped.skip(count);
        for (let i = 0; i < count; i += 1) end.next();
        expect(toHex(skipped.toBytes())).toBe(toHex(end.toBytes()));
      }),
    );
  });

  test("a merge of five or more draws something else, but not that of a whole number of groups", () => {
    const differs = (count: number): boolean => {
      const ways = Array.from({ length: count }, (_, index) => [{ kind: "splitByte" as const, index }]);
      const seed = Uint8Array.of(1);
      return `${drawnAfterMerge(F1r3nodeRandom, seed, ways)}` !== `${drawnAfterMerge(SplittableRandom, seed, ways)}`;
    };
    expect([2, 3, 4, 5, 6, 7, 8, 9, 12, 255].filter(differs)).toEqual([5, 6, 7, 9, 255]);
  });

  test("goes on from its state as it would have gone on", () => {
    fc.assert(
      fc.property(fc.uint8Array(), steps, steps, (seed, before, after) => {
        const { end } = walk(F1r3nodeRandom.fromSeed(seed), before);
        const state = end.toBytes();
        const kept = state.slice();
        const restored = walk(F1r3nodeRandom.fromBytes(state), after);
        const direct = walk(end, after);
        expect(restored.drawn).toEqual(direct.drawn);
        expect(restored.end.toBytes()).toEqual(direct.end.toBytes());
        expect(state, "what was given away does not change").toEqual(kept);
      }),
    );
  });

  test("a state shows the bytes of the path since the last copy, and the words that the copy had", () => {
    const random = F1r3nodeRandom.fromSeed(fromHex("00")).splitByte(0xaa).splitShort(0xccbb);
    const state = toHex(random.toBytes());
    const part = (at: number, size: number) => state.slice(2 * at, 2 * (at + size));
    expect(part(80, 8)).toBe("80000000aabbcc00");
    expect(part(212, 8)).toBe("7000000000bbcc00");
    expect(part(328, 8)).toBe("10000000aa000000");
    expect(part(460, 76)).toBe(`${"00".repeat(72)}03000000`);
    expect(toHex(random.next())).toBe(toHex(random.toBytes().subarray(460, 492)));
    expect(toHex(random.toBytes().subarray(524))).toBe("200000000000000003000000");
    expect(toHex(random.copy().toBytes().subarray(524))).toBe("000000000000000003000000");
  });

  test("what is no state is refused", () => {
    const state = F1r3nodeRandom.fromSeed(fromHex("00")).toBytes();
    const changed = (at: number, value: number): Uint8Array => {
      const other = state.slice();
      other[at] = value;
      return other;
    };
    const wrong = [
      new Uint8Array(0),
      state.subarray(1),
      Uint8Array.of(...state, 0),
      ...[80, 212, 328, 531].map((at) => changed(at, 1)),
      changed(524, 64),
      changed(532, 113),
    ];
    for (const bytes of wrong) expect(() => F1r3nodeRandom.fromBytes(bytes)).toThrow(RandomError);
    expect(() => F1r3nodeRandom.merge([F1r3nodeRandom.fromBytes(state)])).toThrow(RandomError);
  });
});
