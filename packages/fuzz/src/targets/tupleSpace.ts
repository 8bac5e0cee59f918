import { blake2b256, toHex } from "@vedette/crypto";
import { decodeEvent, type Event, encodeEvent } from "@vedette/protocol";
import { BindPattern, encodePar, ListParWithRandom, type Par, SystemContinuation } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace, ReplaySpace, type Space, type SpaceMatch } from "@vedette/tuplespace";
import { anyPattern, freePattern, int, name, simpleMatch } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";
import { type PlainContinuation, type PlainDatum, PlainSpace } from "../model/PlainSpace.js";

export type Operation =
  | { readonly kind: "produce"; readonly datum: PlainDatum }
  | { readonly kind: "consume"; readonly waiting: PlainContinuation };

/** In the order of their encodings, so that a join is the same list before and after a checkpoint (30 §1.10(1)). */
const channels: readonly Par[] = [int(5), name(1), name(3), name(9, 9)];
const patterns = [
  new BindPattern([freePattern], undefined, 1),
  new BindPattern([int(0)], undefined, 0),
  new BindPattern([int(1)], undefined, 0),
  new BindPattern([anyPattern], undefined, 0),
];
const anyChannel = fc.nat({ max: channels.length - 1 });

const produce = fc
  .record({ channel: anyChannel, value: fc.nat({ max: 2 }), seed: fc.nat({ max: 2 }), persist: fc.boolean() })
  .map(({ channel, value, seed, persist }): Operation => {
    const data = new ListParWithRandom([int(value)], blake2b256(Uint8Array.of(seed)));
    return { kind: "produce", datum: { channel, data, persist } };
  });

const consume = fc
  .record({
    id: fc.nat({ max: 3 }),
    channels: fc.uniqueArray(anyChannel, { minLength: 1, maxLength: 3 }).map((list) => list.sort()),
    wanted: fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 3 }),
    persist: fc.boolean(),
    isPeek: fc.boolean(),
  })
  .map(({ id, channels: list, wanted, persist, isPeek }): Operation => {
    const waiting = {
      // Of one identity, whatever it peeks at (30 §1.10(3)); a program never has two such, as each has its own random state.
      id: 2 * id + Number(isPeek),
      channels: list,
      patterns: list.map((_, index) => patterns[wanted[index]!]!),
      persist,
      peeks: isPeek ? list.map((_, index) => index) : [],
    };
    return { kind: "consume", waiting };
  });

export function anyOperations(maxLength: number): fc.Arbitrary<Operation[]> {
  return fc.array(fc.oneof(produce, consume), { maxLength });
}

/** Blocks of operations; after each the state is committed. Some operations of a block are taken back. */
const anyBlocks = fc.array(
  fc.record({
    operations: anyOperations(14),
    takenBack: anyOperations(6),
  }),
  { minLength: 1, maxLength: 3 },
);

export const tupleSpace = propertyTarget({
  name: "tuple-space",
  about: "a tuple space does only what two plain lists allow, its root is that of its content, its log replays",
  cost: "dear",
  files: [
    "tuplespace/space/",
    "tuplespace/replay/",
    "tuplespace/event/",
    "tuplespace/leaf/",
    "tuplespace/history/",
    "!tuplespace/history/HistoryError.js",
  ],
  values: anyBlocks,
  check: (blocks) => {
    const store = memoryStateStore();
    const play = new PlaySpace(store, simpleMatch, emptyRoot);
    const replay = new ReplaySpace(store, simpleMatch, emptyRoot);
    const plain = new PlainSpace(simpleMatch);
    for (const { operations, takenBack } of blocks) {
      const middle = operations.length >> 1;
      run(play, plain, operations.slice(0, middle));
      const first = play.softCheckpoint();
      run(play, plain.copy(), takenBack);
      play.revert(first);
      run(play, plain, operations.slice(middle));
      checkContent(play, plain);
      const { root, log } = play.checkpoint();
      checkContent(play, plain);
      must(toHex(rootOf(plain)) === toHex(root), "the root is that of the content, however it came about");
      replay.rig(throughTheWire(log));
      for (const operation of operations) applyOperation(replay, operation);
      must(replay.checkReplayData() === undefined, "a replay uses all of its log");
      must(toHex(replay.checkpoint().root) === toHex(root), "a replay gives the same root");
    }
  },
});

export function applyOperation(space: Space, operation: Operation): SpaceMatch | undefined {
  if (operation.kind === "produce") {
    const { channel, data, persist } = operation.datum;
    return space.produce(channels[channel]!, data, persist);
  }
  const { id, channels: list, patterns: wanted, persist, peeks } = operation.waiting;
  const names = list.map((index) => channels[index]!);
  return space.consume(names, wanted, new SystemContinuation(BigInt(id)), persist, peeks);
}

function run(space: Space, plain: PlainSpace, operations: readonly Operation[]): void {
  for (const operation of operations) {
    const found = applyOperation(space, operation);
    if (operation.kind === "produce") plain.produced(operation.datum, found, numbersOf);
    else plain.consumed(operation.waiting, found);
  }
}

/** The numbers of the channels of a match. */
export function numbersOf(match: SpaceMatch): readonly number[] {
  return match.channels.map((channel) =>
    channels.findIndex((one) => toHex(encodePar(one)) === toHex(encodePar(channel))),
  );
}

function checkContent(space: Space, plain: PlainSpace): void {
  for (const [index, channel] of channels.entries()) {
    const stored = space.data(channel).length;
    const expected = plain.data.filter((datum) => datum.channel === index).length;
    must(stored === expected, () => `channel ${index} holds ${stored} data, not ${expected}`);
  }
  const groups = new Set(plain.continuations.map((one) => one.channels.join()));
  for (const group of groups) {
    const names = group.split(",").map((index) => channels[Number(index)]!);
    const stored = space.continuations(names).length;
    const expected = plain.continuations.filter((one) => one.channels.join() === group).length;
    must(stored === expected, () => `channels ${group} hold ${stored} continuations, not ${expected}`);
  }
}

/** Of a space that came to its content in another way: everything is put in, and nothing meets. */
function rootOf({ data, continuations }: PlainSpace): Uint8Array {
  const space = new PlaySpace(memoryStateStore(), simpleMatch, emptyRoot);
  for (const waiting of continuations.toReversed())
    must(applyOperation(space, { kind: "consume", waiting }) === undefined, "what waits meets nothing");
  for (const datum of data.toReversed())
    must(applyOperation(space, { kind: "produce", datum }) === undefined, "what lies meets nothing");
  return space.checkpoint().root;
}

function throughTheWire(log: readonly Event[]): Event[] {
  return log.map((event) => decodeEvent(encodeEvent(event)));
}
