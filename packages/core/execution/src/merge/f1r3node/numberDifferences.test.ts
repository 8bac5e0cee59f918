import { blake2b256, F1r3nodeRandom, toHex } from "@vedette/crypto";
import { ProduceEvent } from "@vedette/protocol";
import { f1r3nodeTerms, GInt, GString, ListParWithRandom, Par } from "@vedette/terms";
import { encodeBincodeDatum, type ItemState, MergeError } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { numberDifferences } from "./numberDifferences.js";

const [one, two, three] = [1, 2, 3].map((id) => blake2b256(Uint8Array.of(id))) as [Uint8Array, Uint8Array, Uint8Array];
const none = new Map<string, bigint>();

function datum(expr: GInt | GString): Uint8Array {
  const randomState = F1r3nodeRandom.fromSeed(Uint8Array.of(1)).toBytes();
  const content = f1r3nodeTerms.storedListParWithRandom(
    new ListParWithRandom([Par.of({ exprs: [expr] })], randomState),
  );
  return encodeBincodeDatum({ content, persist: false, source: new ProduceEvent(one, two, false) });
}

function stateWith(data: readonly Uint8Array[]): ItemState {
  return {
    data: (hash) => (toHex(hash) === toHex(one) ? data : []),
    continuations: () => [],
    joins: () => [],
  };
}

const values = (numbers: readonly (readonly [Uint8Array, bigint])[]) =>
  new Map(numbers.map(([channel, value]) => [toHex(channel), value]));

test("what deploys did runs on from the value before the block, or from nothing", () => {
  const changes = numberDifferences(stateWith([datum(new GInt(10n))]), [
    { numberChannels: values([[one, 15n]]), bitmasks: values([[three, 0b0101n]]) },
    { numberChannels: none, bitmasks: none },
    {
      numberChannels: values([
        [one, 3n],
        [two, 8n],
      ]),
      bitmasks: values([[three, 0b0111n]]),
    },
  ]);
  expect(changes).toEqual([
    new Map([
      [toHex(one), { kind: "add", difference: 5n }],
      [toHex(three), { kind: "or", difference: 0b0101n }],
    ]),
    new Map(),
    new Map([
      [toHex(one), { kind: "add", difference: -12n }],
      [toHex(two), { kind: "add", difference: 8n }],
      [toHex(three), { kind: "or", difference: 0b0010n }],
    ]),
  ]);
});

test("a state that has no single number where a deploy left one is refused", () => {
  const left = [{ numberChannels: values([[one, 15n]]), bitmasks: none }];
  for (const data of [[datum(new GString("ten"))], [datum(new GInt(1n)), datum(new GInt(2n))]])
    expect(() => numberDifferences(stateWith(data), left)).toThrow(MergeError);
});
