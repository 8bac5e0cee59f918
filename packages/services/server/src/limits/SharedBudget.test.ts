import { describe, expect, test } from "vitest";
import { type CountedWindow, SharedBudget, type SharedBudgetEvent, type SharedCounter } from "./SharedBudget.js";

/** Counts in memory, as a server that all members use. */
class PlainCounter implements SharedCounter {
  readonly counts = new Map<string, number>();
  asked = 0;
  isAway = false;

  async add(key: string, { number, ms }: CountedWindow, count: number): Promise<number> {
    this.asked += 1;
    await Promise.resolve();
    if (this.isAway) throw new Error("the counter does not answer");
    const name = `${key} ${ms} ${number}`;
    const total = (this.counts.get(name) ?? 0) + count;
    this.counts.set(name, total);
    return total;
  }
}

const rate = { burst: 100, requestsPerSecond: 10 };
/** In the middle of a window of ten seconds. */
const wall = 1_000_005_000;

function members(count: number) {
  const counter = new PlainCounter();
  const emitted: SharedBudgetEvent["type"][] = [];
  const clock = { wallMs: wall, nowMs: 0 };
  const emit = ({ type }: SharedBudgetEvent) => void emitted.push(type);
  const all = Array.from({ length: count }, () => new SharedBudget({ counter, emit, wallMs: () => clock.wallMs }));
  const served = async (key: string, requests: number) => {
    const waits = await Promise.all(
      Array.from({ length: requests }, (_, at) => all[at % all.length]!.take(key, clock.nowMs, rate)),
    );
    return { served: waits.filter((wait) => wait === 0).length, waits: new Set(waits) };
  };
  return { counter, emitted, clock, served };
}

describe("requests that members of a fleet count together", () => {
  test("are as many as one member would serve, and the others are answered how long to wait", async () => {
    const { served, counter, clock } = members(4);
    const { served: many, waits } = await served("client", 1_000);
    expect(many).toBe(100);
    // By a member alone, and by all together.
    expect([...waits].sort()).toEqual([0, 1, 5]);
    expect((await served("another", 20)).served).toBe(20);
    const asked = counter.asked;
    // A refused request costs no call of the counter.
    expect((await served("client", 100)).served).toBe(0);
    expect(counter.asked).toBe(asked);
    clock.wallMs += 5_000;
    clock.nowMs += 5_000;
    expect((await served("client", 1_000)).served).toBe(100);
  });

  test("are asked for in shares, and not one by one", async () => {
    const { served, counter } = members(1);
    await served("client", 90);
    expect(counter.asked).toBe(45);
  });

  test("of a key with little are counted one by one", async () => {
    const { counter, clock } = members(0);
    const all = [1, 2, 3].map(() => new SharedBudget({ counter, emit: () => {}, wallMs: () => clock.wallMs }));
    const small = { burst: 3, requestsPerSecond: 1 };
    const waits: number[] = [];
    for (let at = 0; at < 6; at += 1) waits.push(await all[at % 3]!.take("k", 0, small));
    expect(waits.map((wait) => wait === 0)).toEqual([true, true, true, false, false, false]);
  });

  test("are counted by each member if the counter does not answer; this is reported once and retried by one request", async () => {
    const { served, counter, emitted, clock } = members(1);
    counter.isAway = true;
    expect((await served("client", 150)).served).toBe(100);
    expect([counter.asked, emitted]).toEqual([1, ["away"]]);
    clock.nowMs += 2_999;
    expect((await served("another", 150)).served).toBe(100);
    expect(counter.asked).toBe(1);
    clock.nowMs += 1;
    expect((await served("a third", 10)).served).toBe(10);
    expect([counter.asked, emitted]).toEqual([2, ["away"]]);
    counter.isAway = false;
    clock.nowMs += 3_000;
    expect((await served("a fourth", 10)).served).toBe(10);
    expect(emitted).toEqual(["away", "back"]);
  });
});
