import { expect, test } from "vitest";
import { CallPlaces } from "./CallPlaces.js";

function trial() {
  const places = new CallPlaces({ maxCalls: 6, maxBytes: 600 });
  const cut: string[] = [];
  return { places, cut, take: (client: string, call = "") => places.take(client, () => void cut.push(client + call)) };
}

test("when all places are taken, the client with most calls loses its oldest one to a client with fewer", () => {
  const { places, cut, take } = trial();
  for (const call of "012345") take("busy", call);
  expect([take("busy"), cut]).toEqual([undefined, []]);
  for (const _ of [0, 1, 2]) expect(take("other")).toBeDefined();
  expect(cut).toEqual(["busy0", "busy1", "busy2"]);
  // Each has half.
  expect([take("other"), take("busy"), places.calls]).toEqual([undefined, undefined, 6]);
  expect(take("third")).toBeDefined();
  expect([cut.length, places.calls]).toEqual([4, 6]);
});

test("a client that has most may lose nothing to a client that would have as much", () => {
  const { cut, take } = trial();
  for (const client of ["a", "b", "c", "d", "e", "f"]) take(client);
  expect([take("g"), cut]).toEqual([undefined, []]);
});

test("when there is no room for requests, the largest one of the client with most of them gives way", () => {
  const { places, cut, take } = trial();
  const [small, large] = [take("busy", "small")!, take("busy", "large")!];
  expect([small.hold(250), large.hold(300), small.hold(100)]).toEqual([true, true, false]);
  expect(take("other")!.hold(100)).toBe(true);
  expect([cut, places.bytes, places.calls]).toEqual([["busylarge"], 350, 2]);
  expect(large.hold(1)).toBe(false);
  // The other would have most then.
  expect(take("other")!.hold(400)).toBe(false);
});

test("nothing is counted when calls are over, for any number of reports of the end", () => {
  const { places, take } = trial();
  const call = take("client")!;
  call.hold(100);
  call.release();
  expect([places.bytes, places.calls]).toEqual([0, 1]);
  call.hold(50);
  call.leave();
  call.leave();
  expect([places.bytes, places.calls]).toEqual([0, 0]);
});
