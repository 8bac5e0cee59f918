import { expect, test } from "vitest";
import { compareFollowers, cutAt } from "./compareEvents.js";
import type { FollowedEvent } from "./EventFollower.js";

const eventsOf = (...events: readonly (readonly [cursor: string, content: number])[]): FollowedEvent[] =>
  events.map(([cursor, content], at) => ({ cursor, content, atMs: at }));
const right = eventsOf(["a", 0], ["b", 1], ["c", 2], ["d", 3]);

function compared(events: readonly FollowedEvent[]) {
  const follower = { received: events, lost: 0, left: 0, failure: undefined };
  const { lost, doubled, disordered } = compareFollowers([follower], right, right);
  return { lost, doubled, disordered };
}

test("a follower that received all, and more since, has lost nothing", () => {
  expect(compared(right)).toEqual({ lost: 0, doubled: 0, disordered: 0 });
  expect(compared([...right, ...eventsOf(["e", 4])])).toEqual({ lost: 0, doubled: 0, disordered: 0 });
});

test("what is missing, comes twice, at another place, with another content or from elsewhere is found", () => {
  expect(compared(eventsOf(["a", 0], ["c", 2], ["d", 3]))).toEqual({ lost: 1, doubled: 0, disordered: 0 });
  expect(compared(eventsOf(["a", 0], ["b", 1]))).toEqual({ lost: 2, doubled: 0, disordered: 0 });
  expect(compared([])).toEqual({ lost: 4, doubled: 0, disordered: 0 });
  expect(compared(eventsOf(["a", 0], ["b", 1], ["b", 1], ["c", 2], ["d", 3]))).toMatchObject({ lost: 0, doubled: 1 });
  expect(compared(eventsOf(["a", 0], ["c", 2], ["b", 1], ["d", 3]))).toMatchObject({ lost: 0, disordered: 1 });
  expect(compared(eventsOf(["a", 0], ["b", 7], ["c", 2], ["d", 3]))).toMatchObject({ lost: 1, doubled: 0 });
  expect(compared(eventsOf(["a", 0], ["x", 9], ["b", 1], ["c", 2], ["d", 3]))).toMatchObject({
    lost: 0,
    disordered: 1,
  });
});

test("events are cut behind the last that is compared", () => {
  expect(cutAt(right, "b").map(({ cursor }) => cursor)).toEqual(["a", "b"]);
  expect(cutAt(right, "x")).toEqual(right);
});
