import { blake2b256 } from "@vedette/crypto";
import { decodeEvent, type Event, encodeEvent } from "@vedette/protocol";
import { BindPattern, ListParWithRandom, nil, type Par, ParContinuation, ParWithRandom } from "@vedette/terms";
import fc from "fast-check";
import type { Space } from "../space/Space.js";
import { anyPattern, freePattern, int, name } from "./simpleMatch.js";

/** A send or a receive on some of {@link channels}. */
export type Operation =
  | { readonly kind: "produce"; readonly channel: number; readonly value: number; readonly persist: boolean }
  | {
      readonly kind: "consume";
      readonly channels: readonly number[];
      readonly wanted: number | undefined;
      readonly persist: boolean;
      readonly peek: boolean;
    };

/** In the order of their encodings, so that a join is the same list before and after a checkpoint. */
export const channels: readonly Par[] = [int(5), name(1), name(3), name(9, 9)];
const anyChannel = fc.nat({ max: channels.length - 1 });
const anyProduce = (persist: fc.Arbitrary<boolean>): fc.Arbitrary<Operation> =>
  fc.record({ kind: fc.constant("produce"), channel: anyChannel, value: fc.nat({ max: 2 }), persist });
const anyConsume = (persist: fc.Arbitrary<boolean>): fc.Arbitrary<Operation> =>
  fc.record({
    kind: fc.constant("consume"),
    // In one order only: two orders of one list fail at the checkpoint (30 §1.10(2)).
    channels: fc.uniqueArray(anyChannel, { minLength: 1, maxLength: 3 }).map((list) => list.sort()),
    wanted: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
    persist,
    peek: fc.boolean(),
  });
/** Up to 30 operations. @param persist whether they stay when they have met */
export const anyOperations = (persist: fc.Arbitrary<boolean>) =>
  fc.array(fc.oneof(anyProduce(persist), anyConsume(persist)), { maxLength: 30 });

/** Each operation has a random state of its own, as in a program. */
export function run(
  space: Space,
  operations: readonly { readonly operation: Operation; readonly seed: string }[],
): void {
  for (const { operation, seed } of operations) {
    const random = blake2b256(new TextEncoder().encode(seed));
    if (operation.kind === "produce") {
      const data = new ListParWithRandom([int(operation.value)], random);
      space.produce(channels[operation.channel]!, data, operation.persist);
      continue;
    }
    const list = operation.channels.map((index) => channels[index]!);
    const pattern =
      operation.wanted === undefined ? new BindPattern([freePattern], undefined, 1) : exactly(operation.wanted);
    const patterns = list.map(() => pattern);
    const continuation = new ParContinuation(new ParWithRandom(nil, random));
    const peeks = operation.peek ? list.map((_, index) => index) : [];
    const found = space.consume(list, patterns, continuation, operation.persist, peeks);
    if (found === undefined || operation.persist || !found.peek) continue;
    // The interpreter's step after a peek: the same value, with the same hash, again.
    for (const { channel, removed, persistent } of found.results) {
      if (!persistent) space.produce(channel, removed, false);
    }
  }
}

function exactly(value: number): BindPattern {
  return new BindPattern([value === 2 ? anyPattern : int(value)], undefined, 0);
}

/** Gives each operation a seed of its own. */
export function numbered(operations: readonly Operation[], block: number) {
  return operations.map((operation, index) => ({ operation, seed: `${block}/${index}` }));
}

/** A log as another node reads it. */
export function throughTheWire(log: readonly Event[]): Event[] {
  return log.map((event) => decodeEvent(encodeEvent(event)));
}
