import { blake2b256, toHex } from "@vedette/crypto";
import { CommEvent, type Event, ProduceEvent } from "@vedette/protocol";
import { BindPattern, f1r3nodeTerms, ListParWithRandom, nil, ParContinuation, ParWithRandom } from "@vedette/terms";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { withCallOutput } from "../event/callOutput.js";
import { f1r3nodeSpace } from "../form/f1r3nodeSpace.js";
import { rnodeSpace } from "../form/rnodeSpace.js";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { PlaySpace } from "../space/PlaySpace.js";
import type { Space } from "../space/Space.js";
import { SpaceError } from "../space/SpaceError.js";
import { anyOperations, channels, numbered, type Operation, run, throughTheWire } from "../testing/operations.js";
import { freePattern, int, matchBy, name, simpleMatch } from "../testing/simpleMatch.js";
import { CommTable, TracedComm } from "./CommTable.js";
import { ReplaySpace } from "./ReplaySpace.js";

describe("a recorded log", () => {
  test("replayed in the same order gives the same state, over several blocks", () => {
    fc.assert(
      fc.property(fc.array(anyOperations(fc.boolean()), { minLength: 1, maxLength: 4 }), (blocks) => {
        const store = memoryStateStore();
        const play = new PlaySpace(store, simpleMatch, emptyRoot);
        const replay = new ReplaySpace(store, simpleMatch, emptyRoot);
        for (const [index, operations] of blocks.entries()) {
          run(play, numbered(operations, index));
          const { root, log } = play.checkpoint();
          replay.rig(throughTheWire(log));
          run(replay, numbered(operations, index));
          expect(replay.checkReplayData()).toBeUndefined();
          expect(toHex(replay.checkpoint().root)).toBe(toHex(root));
        }
      }),
      { numRuns: runs(50, 300) },
    );
  });

  test("in which one datum or receive takes part in many COMMs gives the same state", () => {
    const anyFew = fc.array(
      fc.oneof(
        fc.record<Operation & { kind: "produce" }>({
          ...{ kind: fc.constant("produce"), channel: fc.nat({ max: 1 }), value: fc.nat({ max: 1 }) },
          persist: fc.boolean(),
        }),
        fc.record<Operation & { kind: "consume" }>({
          kind: fc.constant("consume"),
          channels: fc.constantFrom([0], [0], [1], [0, 1]),
          wanted: fc.constantFrom(undefined, undefined, 1),
          ...{ persist: fc.boolean(), peek: fc.constantFrom(true, true, false) },
        }),
      ),
      { minLength: 40, maxLength: 100 },
    );
    fc.assert(
      fc.property(fc.array(anyFew, { minLength: 1, maxLength: 2 }), (blocks) => {
        const store = memoryStateStore();
        const play = new PlaySpace(store, simpleMatch, emptyRoot);
        const replay = new ReplaySpace(store, simpleMatch, emptyRoot);
        for (const [index, operations] of blocks.entries()) {
          run(play, numbered(operations, index));
          const { root, log } = play.checkpoint();
          replay.rig(throughTheWire(log));
          run(replay, numbered(operations, index));
          expect(replay.checkReplayData()).toBeUndefined();
          expect(toHex(replay.checkpoint().root)).toBe(toHex(root));
        }
      }),
      { numRuns: runs(20, 100) },
    );
  });

  test("of linear operations can be replayed in any order", () => {
    const linear = anyOperations(fc.constant(false)).map((all) =>
      all.map((one) => (one.kind === "consume" ? { ...one, peek: false } : one)),
    );
    const shuffled = linear.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(numbered(all, 0), { minLength: all.length, maxLength: all.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([operations, order]) => {
        const store = memoryStateStore();
        const play = new PlaySpace(store, simpleMatch, emptyRoot);
        run(play, numbered(operations, 0));
        const { root, log } = play.checkpoint();
        const replay = new ReplaySpace(store, simpleMatch, emptyRoot);
        replay.rig(throughTheWire(log));
        run(replay, order);
        expect(toHex(replay.checkpoint().root)).toBe(toHex(root));
      }),
      { numRuns: runs(50, 300) },
    );
  });

  test("finds at once which COMM is due, however many one receive or datum has", () => {
    const count = 300;
    const many = <T>(one: T): T[] => new Array<T>(count).fill(one);
    const operations: Operation[] = [
      { kind: "consume", channels: [0], wanted: undefined, persist: true, peek: false },
      ...many<Operation>({ kind: "produce", channel: 0, value: 1, persist: false }),
      { kind: "produce", channel: 1, value: 1, persist: false },
      ...many<Operation>({ kind: "consume", channels: [1], wanted: undefined, persist: false, peek: true }),
    ];
    const store = memoryStateStore();
    const play = new PlaySpace(store, simpleMatch, emptyRoot);
    run(play, numbered(operations, 0));
    const { root, log } = play.checkpoint();
    for (const ordered of [log, log.toReversed()]) {
      let matches = 0;
      const match: typeof simpleMatch = (...operands) => {
        matches += 1;
        return simpleMatch(...operands);
      };
      const allows = vi.spyOn(TracedComm.prototype, "allows");
      const allowsKnown = vi.spyOn(TracedComm.prototype, "allowsKnown");
      const replay = new ReplaySpace(store, match, emptyRoot);
      replay.rig(throughTheWire(ordered));
      run(replay, numbered(operations, 0));
      expect([matches, allows.mock.calls.length + allowsKnown.mock.calls.length]).toEqual([2 * count, 2 * count]);
      allows.mockRestore();
      allowsKnown.mockRestore();
      expect(toHex(replay.checkpoint().root)).toBe(toHex(root));
    }
  });

  test("that says more than happens leaves COMMs over", () => {
    const store = memoryStateStore();
    const play = new PlaySpace(store, simpleMatch, emptyRoot);
    const operations = numbered(
      [
        { kind: "produce", channel: 0, value: 1, persist: false },
        { kind: "consume", channels: [0], wanted: 1, persist: false, peek: false },
      ],
      0,
    );
    run(play, operations);
    const { log } = play.softCheckpoint();
    expect(log.map(({ kind }) => kind)).toEqual(["comm", "consume", "produce"]);
    const replay = new ReplaySpace(store, simpleMatch, emptyRoot);
    replay.rig(log);
    run(replay, operations.slice(0, 1));
    expect(replay.checkReplayData()?.message).toBe("Unused COMM event: replayData multimap has 2 elements left");
    expect(() => replay.checkpoint()).toThrow("Unused COMM event");
    replay.rig([]);
    expect(replay.checkReplayData()).toBeUndefined();
  });
});

describe.each([
  ["rnode", rnodeSpace, simpleMatch],
  ["f1r3node", f1r3nodeSpace, (...[pattern, data]) => matchBy(f1r3nodeTerms.encodePar, pattern, data)],
] as const satisfies readonly (readonly [string, SpaceDialect, typeof simpleMatch])[])(
  "on networks of %s",
  (_, form, match) => {
    test("a log is followed in its order, part by part, and not sorted", () => {
      const count = 30;
      const part: Operation[] = [
        { kind: "consume", channels: [0], wanted: undefined, persist: true, peek: false },
        ...new Array<Operation>(count).fill({ kind: "produce", channel: 0, value: 1, persist: false }),
        { kind: "produce", channel: 1, value: 1, persist: false },
        ...new Array<Operation>(count).fill({
          ...{ kind: "consume", channels: [1], wanted: undefined, persist: false, peek: true },
        }),
        { kind: "consume", channels: [1, 2, 3], wanted: undefined, persist: false, peek: false },
        ...[1, 2, 3].map((channel): Operation => ({ kind: "produce", channel, value: 1, persist: false })),
      ];
      const parts = [numbered(part, 0), numbered(part.slice(1), 1), numbered(part.slice(1), 2)];
      const store = memoryStateStore(form);
      const play = new PlaySpace(store, match, emptyRoot);
      const log = parts.flatMap((operations) => {
        run(play, operations);
        return play.softCheckpoint().log;
      });
      const find = vi.spyOn(CommTable.prototype, "find");
      const replay = new ReplaySpace(store, match, emptyRoot);
      replay.rig(throughTheWire(log));
      for (const operations of parts) {
        run(replay, operations);
        replay.softCheckpoint();
      }
      expect(replay.checkReplayData()).toBeUndefined();
      expect(find).not.toHaveBeenCalled();
      find.mockRestore();
      expect(toHex(replay.checkpoint().root)).toBe(toHex(play.checkpoint().root));
    });

    test("of equal COMMs the first one in the log has the outputs of a call", () => {
      const store = memoryStateStore(form);
      const data = new ListParWithRandom([int(1)], blake2b256(Uint8Array.of(1)));
      const pattern = new BindPattern([freePattern], undefined, 1);
      const continuation = new ParContinuation(new ParWithRandom(nil, blake2b256(Uint8Array.of(2))));
      const repeat = (space: Space) => {
        space.consume([name(1)], [pattern], continuation, false, []);
        return space.produce(name(1), data, false)!.event;
      };
      const play = new PlaySpace(store, match, emptyRoot);
      repeat(play);
      const { log } = play.softCheckpoint();
      const comm = log.find((event) => event.kind === "comm")!;
      const output = Uint8Array.of(7);
      const produces = comm.produces.map(({ channelsHash, hash }) =>
        withCallOutput(new ProduceEvent(channelsHash, hash, false), [output], false),
      );
      const replay = new ReplaySpace(store, match, emptyRoot);
      replay.rig([new CommEvent(comm.consume, produces, comm.timesRepeated, comm.peeks), ...log]);
      expect(repeat(replay).outputValue).toEqual([output]);
    });

    test("a forged log is followed to the same end, or refused alike, in its order and sorted", () => {
      fc.assert(
        fc.property(anyOperations(fc.constant(false)), fc.array(anyForgery, { maxLength: 4 }), (all, forgeries) => {
          const operations = numbered(all, 0);
          const store = memoryStateStore(form);
          const play = new PlaySpace(store, match, emptyRoot);
          run(play, operations);
          const { log } = play.checkpoint();
          const forged = forgeries.reduce<readonly Event[]>(forge, throughTheWire(log));
          const [inOrder, sorted] = [false, true].map((isSorted) => {
            const space = new ReplaySpace(store, match, emptyRoot);
            space.rig(forged);
            // Checked too early: the COMMs that are left over are sorted.
            if (isSorted) space.checkReplayData();
            return endOf(space, operations);
          });
          expect(inOrder).toEqual(sorted);
        }),
        { numRuns: runs(300, 3000) },
      );
    });
  },
);

/** The changes that the author of a block may make to its log. */
const anyForgery = fc.record({
  kind: fc.constantFrom("drop", "double", "reverse", "swap", "repeated", "peeks"),
  at: fc.nat({ max: 60 }),
});

function forge(events: readonly Event[], { kind, at }: { readonly kind: string; readonly at: number }) {
  if (events.length === 0) return events;
  const copy = events.slice();
  const place = at % copy.length;
  const event = copy[place]!;
  if (kind === "drop") copy.splice(place, 1);
  else if (kind === "double") copy.splice(place, 0, event);
  else if (kind === "reverse") copy.reverse();
  else if (kind === "swap") [copy[0], copy[place]] = [event, copy[0]!];
  else if (event.kind === "comm") {
    const { consume, produces, timesRepeated, peeks } = event;
    const times = kind === "repeated" ? timesRepeated.map((one) => one + 1) : timesRepeated;
    copy[place] = new CommEvent(consume, produces, times, kind === "repeated" ? peeks : peeks.length > 0 ? [] : [0]);
  }
  return copy;
}

/** The steps and the end of a replay. */
function endOf(space: ReplaySpace, operations: Parameters<typeof run>[1]): unknown {
  const steps: string[] = [];
  try {
    for (const each of operations) {
      run(space, [each]);
      steps.push(channels.map((channel) => space.data(channel).map(({ source }) => toHex(source.hash))).join(";"));
    }
    const leftover = space.checkReplayData();
    return { steps, leftover, root: leftover === undefined ? toHex(space.checkpoint().root) : "" };
  } catch (error) {
    return { steps, error: error instanceof SpaceError ? error.message : error };
  }
}

test("what a block's author wrote beside a produce's hash does not get into the state", () => {
  const store = memoryStateStore();
  const data = new ListParWithRandom([int(1)], blake2b256(Uint8Array.of(1)));
  const pattern = new BindPattern([freePattern], undefined, 1);
  const continuation = new ParContinuation(new ParWithRandom(nil, blake2b256(Uint8Array.of(2))));
  const repeat = (space: Space) => {
    space.consume([name(1)], [pattern], continuation, false, []);
    const { event } = space.produce(name(1), data, true)!;
    space.produce(name(1), data, true, event);
  };
  const play = new PlaySpace(store, simpleMatch, emptyRoot);
  repeat(play);
  const { root, log } = play.checkpoint();
  const forge = ({ hash }: ProduceEvent) => new ProduceEvent(blake2b256(hash), hash, false, false, [hash], true);
  const forged = log.map((event) =>
    event.kind === "comm" ? new CommEvent(event.consume, event.produces.map(forge), event.timesRepeated, []) : event,
  );
  const replay = new ReplaySpace(store, simpleMatch, emptyRoot);
  replay.rig(forged);
  repeat(replay);
  expect(toHex(replay.checkpoint().root)).toBe(toHex(root));
});
