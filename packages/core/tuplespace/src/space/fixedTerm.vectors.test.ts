import { blake2b256, fromHex, SplittableRandom, toHex } from "@vedette/crypto";
import {
  BindPattern,
  emptyBitSet,
  encodeListParWithRandom,
  GPrivate,
  ListParWithRandom,
  New,
  nil,
  noInjections,
  Par,
  ParContinuation,
  ParWithRandom,
} from "@vedette/terms";
import { expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { anyPattern, freePattern, int, simpleMatch, text } from "../testing/simpleMatch.js";
import { PlaySpace } from "./PlaySpace.js";

const variable = new BindPattern([freePattern], undefined, 1);
const anything = new BindPattern([anyPattern], undefined, 0);
const three = new BindPattern([int(3)], undefined, 0);
const newNil = Par.of({ news: [new New(1, nil, [], noInjections, emptyBitSet)] });

test("the state after the fixed term of 30 §V.3", () => {
  const store = memoryStateStore();
  const space = new PlaySpace(store, simpleMatch, emptyRoot);
  const random = SplittableRandom.fromSeed(blake2b256(Uint8Array.of(1)));
  const id = random.next();
  expect(toHex(id)).toBe("19d15b549d1017baed1f6620a4834a1777bd321b4b56c11219ba539404c064a8");
  const a = Par.of({ unforgeables: [new GPrivate(id)] });

  const send = (index: number, channel: Par, value: Par, persist: boolean) => {
    const data = new ListParWithRandom([value], random.splitByte(index).toBytes());
    expect(space.produce(channel, data, persist)).toBeUndefined();
    return data;
  };
  const receive = (
    index: number,
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    body: Par,
    persist: boolean,
  ) => {
    const continuation = new ParContinuation(new ParWithRandom(body, random.splitByte(index).toBytes()));
    expect(space.consume(channels, patterns, continuation, persist, [])).toBeUndefined();
  };

  send(0, int(2), text("test"), false);
  const ten = send(1, text("2"), int(10), false);
  send(2, int(42), text("1"), true);
  send(3, text("3"), int(3), true);
  receive(4, [text("3"), int(1)], [variable, variable], int(10), false);
  receive(5, [int(44)], [three], newNil, false);
  receive(6, [int(55), text("55")], [variable, anything], nil, false);
  receive(7, [a], [variable], nil, false);
  receive(8, [int(5), text("5")], [variable, anything], nil, true);
  receive(9, [text("4")], [anything], text("3"), true);

  expect(toHex(encodeListParWithRandom(ten)).startsWith("0a042a021014126301")).toBe(true);
  const [datum] = space.data(text("2"));
  expect(toHex(datum!.source.hash)).toBe("a8056f3c0b991d095c6ced6d98ef04051a877035898797ec0059bf02c5c50e48");
  expect(toHex(space.data(int(42))[0]!.source.hash)).toBe(
    "187d8eb186b56b4fbe3fa2882fe4983536f6b48eb2199b9bf50237501e37c6ab",
  );
  const waiting = space.continuations([int(5), text("5")])[0]!;
  expect(toHex(waiting.source.hash)).toBe("6c97d929381cc4903d86b17948d9de5034a00384bf1f7cd962247432c9a415e5");
  expect(toHex(waiting.encoding).endsWith("be6cb1123a1964d20af2c0")).toBe(true);

  const { root, log } = space.checkpoint();
  expect(log).toHaveLength(10);
  expect(toHex(root)).toBe("64645c90dfbd26f17a2a2e84061aefb6d3a82070290ec73ffeaa3f3abbd47c67");
  for (const leaf of [
    "c62f0681cfe4c6caaec9ab25945c009e7e0c12643b31abc75335e6eec5faedc3",
    "0e1b28194127368ca13760a60b47f946694ebcd30a195eb6c0b3ff66fffbf5a5",
    "cfcf7e23f07bc738e1b1af1456da7cbc5e34dedb00e6494c3ec10e288ec6f175",
    "1927ab2af3346e420390e3ee1bb41c0bfcff60a314ef09cd76e1230fb742e130",
  ]) {
    expect(store.hasLeaf(fromHex(leaf))).toBe(true);
  }
});
