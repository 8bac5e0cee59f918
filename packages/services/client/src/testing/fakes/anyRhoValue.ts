import { anyCharacter } from "@vedette/terms/testing";
import fc from "fast-check";
import { RhoPar, RhoTuple, RhoUnforgeable, RhoUri, type RhoValue } from "../../value/RhoValue.js";

/** Which values a generator gives. */
export interface ValueKinds {
  /** Names cannot be written in a program. */
  readonly unforgeables: boolean;
  /** Expressions rather than literals. */
  readonly negatives: boolean;
  readonly bytes: boolean;
  /** Keys other than texts do not survive JSON. */
  readonly keys: "texts" | "any";
}

/** Rholang values; elements of sets and keys of maps differ. */
export function anyRhoValue(kinds: ValueKinds, depth = 3): fc.Arbitrary<RhoValue> {
  const ground = anyGround(kinds);
  if (depth === 0) return ground;
  const inner = anyRhoValue(kinds, depth - 1);
  const few = fc.array(inner, { maxLength: 4 });
  const text = fc.string({ unit: anyCharacter, maxLength: 6 });
  const key = kinds.keys === "texts" ? text : fc.oneof(text, fc.bigInt(0n, 2n ** 63n - 1n), fc.boolean());
  return fc.oneof(
    { weight: 3, arbitrary: ground },
    few,
    few.filter((items) => items.length > 0).map((items) => new RhoTuple(...items)),
    fc.uniqueArray(key, { maxLength: 4 }).map((items) => new Set<RhoValue>(items)),
    fc.uniqueArray(fc.tuple(key, inner), { maxLength: 4, selector: ([one]) => String(one) }).map(mapOf),
  );
}

function mapOf(entries: readonly (readonly [RhoValue, RhoValue])[]): RhoValue {
  return new Map(entries);
}

function anyGround({ unforgeables, negatives, bytes }: ValueKinds): fc.Arbitrary<RhoValue> {
  const id = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const kind = fc.constantFrom("private" as const, "deploy" as const, "deployer" as const);
  const choices: fc.Arbitrary<RhoValue>[] = [
    fc.constant(null),
    fc.boolean(),
    fc.bigInt(negatives ? -(2n ** 63n) : 0n, 2n ** 63n - 1n),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.stringMatching(/^rho:[a-z:]{1,12}$/).map((uri) => new RhoUri(uri)),
  ];
  if (bytes) choices.push(fc.uint8Array({ maxLength: 8 }));
  if (unforgeables) choices.push(fc.tuple(kind, id).map(([of, bytes]) => new RhoUnforgeable(of, bytes)));
  return fc.oneof(...choices);
}

/** Two values side by side, neither of which is Nil or itself such a pair. */
export function anyRhoPar(kinds: ValueKinds): fc.Arbitrary<RhoPar> {
  const ground = anyGround(kinds).filter((value) => value !== null);
  return fc.array(ground, { minLength: 2, maxLength: 3 }).map((items) => new RhoPar(...items));
}
