import { blake2b256 } from "@vedette/crypto";
import { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { LogCursor, notInLog } from "./LogCursor.js";

const hash = (at: number) => blake2b256(Uint8Array.of(at, at >> 8));
const produce = (at: number) => new ProduceEvent(hash(0), hash(at), false);

/** Operations of which each completes a COMM, the oldest first. */
function logOf(from: number, to: number): Event[] {
  const consume = new ConsumeEvent([hash(0)], hash(from), true);
  const events: Event[] = [consume];
  for (let at = from + 1; at < to; at += 1) events.push(produce(at), new CommEvent(consume, [produce(at)], [1], []));
  return events;
}

/** Counts how many events are looked at. */
function watched(log: readonly Event[], isNewestFirst: boolean) {
  const looks = { count: 0 };
  const seen = new Proxy(log, {
    get: (target, name) => {
      if (name !== "length") looks.count += 1;
      return Reflect.get(target, name);
    },
  });
  const cursor = new LogCursor(seen, isNewestFirst);
  looks.count = 0;
  return { looks, cursor };
}

const parts = [logOf(0, 100), logOf(100, 300), logOf(300, 400)];

describe.each([
  { name: "oldest", isNewestFirst: false },
  { name: "newest", isNewestFirst: true },
])("with the $name event first", ({ isNewestFirst }) => {
  const log = parts.flatMap((part) => (isNewestFirst ? part.toReversed() : part));

  test("the operations of several parts are found one after the other, with the COMMs beside them", () => {
    const { looks, cursor } = watched(log, isNewestFirst);
    for (let at = 0; at < 400; at += 1) {
      const beside = cursor.commBeside(cursor.find(hash(at)));
      if (at % 100 === 0 && at !== 200) expect(beside).toBe(notInLog);
      else expect(cursor.commAt(beside).produces[0]!.hash).toEqual(hash(at));
      if (beside !== notInLog) cursor.use(beside);
    }
    expect([cursor.isLost, cursor.isUsedUp]).toEqual([false, true]);
    // Two of them for each operation's COMM, one for the end, and the others to go from operation to operation.
    expect(looks.count).toBeLessThan(6 * log.length);
  });

  test("what is not in the log is looked for a few times alone", () => {
    const { looks, cursor } = watched(log, isNewestFirst);
    for (let at = 1000; at < 2000 && !cursor.isLost; at += 1) expect(cursor.find(hash(at))).toBe(notInLog);
    expect(cursor.isLost).toBe(true);
    expect(looks.count).toBe(8 * log.length + 1000);
    expect([cursor.find(hash(1)), cursor.isExpected(produce(1))]).toEqual([notInLog, true]);
  });

  test("a COMM that was repeated is not beside its operation any more", () => {
    const cursor = new LogCursor(log, isNewestFirst);
    const place = cursor.find(hash(7));
    expect([cursor.isExpected(produce(7)), cursor.isExpected(produce(1000))]).toEqual([true, false]);
    cursor.use(cursor.commBeside(place));
    expect(cursor.commBeside(place)).toBe(notInLog);
    expect([cursor.isExpected(produce(7)), cursor.isUsedUp]).toEqual([false, false]);
  });
});

test("an empty log has nothing", () => {
  const cursor = new LogCursor([], true);
  expect([cursor.find(hash(1)), cursor.isUsedUp]).toEqual([notInLog, true]);
});
