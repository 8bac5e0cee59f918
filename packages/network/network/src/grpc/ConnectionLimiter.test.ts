import { expect, test } from "vitest";
import { ConnectionLimiter, type ConnectionLimits, type LimitedConnection } from "./ConnectionLimiter.js";

/** A connection as far as places look at it. */
class Holder implements LimitedConnection {
  hasGivenWay = false;

  constructor(
    readonly countedFor: string | undefined,
    readonly isOwnMachine = false,
  ) {}

  evict(): void {
    this.hasGivenWay = true;
  }
}

function placesOf(limits: ConnectionLimits) {
  const places = new ConnectionLimiter<Holder>(limits);
  const open = (address: string | undefined, isOwnMachine = false) => {
    const holder = new Holder(address, isOwnMachine);
    return { holder, refusal: places.take(holder) };
  };
  const openMany = (count: number, address: string, state: "idle" | "busy" = "idle") =>
    Array.from({ length: count }, () => {
      const { holder, refusal } = open(address);
      if (refusal === undefined) places.become(holder, state);
      return { holder, refusal };
    });
  return { places, open, openMany };
}

const gaveWay = (all: readonly { readonly holder: Holder }[]) => all.map(({ holder }) => holder.hasGivenWay);

test("an address that has as many as it may loses the one that is idle longest", () => {
  const { places, open, openMany } = placesOf({ inAll: 99, perAddress: 3 });
  const three = openMany(3, "a");
  places.become(three[0]!.holder, "busy");
  expect(open("a").refusal).toBeUndefined();
  expect(gaveWay(three)).toEqual([false, true, false]);
  // A connection is idle from the end of its call on.
  places.become(three[0]!.holder, "idle");
  expect(open("a").refusal).toBeUndefined();
  expect(gaveWay(three)).toEqual([false, true, true]);
  expect(places.counts).toEqual({ idle: 3, busy: 0, terminating: 0 });
});

test("connections with a call do not give way to others of their address", () => {
  const { open, openMany } = placesOf({ inAll: 99, perAddress: 2 });
  const busy = openMany(2, "a", "busy");
  expect(open("a").refusal).toBe("perAddress");
  expect(gaveWay(busy)).toEqual([false, false]);
});

test("when all is full the address with most connections loses one; what dies goes first", () => {
  const { places, open, openMany } = placesOf({ inAll: 7, perAddress: 5 });
  const few = openMany(2, "few");
  const many = openMany(5, "many");
  expect(open("new").refusal).toBeUndefined();
  expect([gaveWay(few), gaveWay(many)]).toEqual([
    [false, false],
    [true, false, false, false, false],
  ]);
  places.become(many[4]!.holder, "terminating");
  expect(places.counts).toEqual({ idle: 6, busy: 0, terminating: 1 });
  expect(open("newer").refusal).toBeUndefined();
  expect(gaveWay(many)).toEqual([true, false, false, false, true]);
});

test("an address with more connections than the others loses one of its own", () => {
  const { open, openMany } = placesOf({ inAll: 6, perAddress: 5 });
  const busy = openMany(2, "busy", "busy");
  const few = openMany(1, "few");
  const many = openMany(3, "many");
  expect(open("many").refusal).toBeUndefined();
  expect([...gaveWay(busy), ...gaveWay(few), ...gaveWay(many)]).toEqual([false, false, false, true, false, false]);
});

test("some places are for addresses with few connections, and some for this machine", () => {
  const { places, open, openMany } = placesOf({ inAll: 64, perAddress: 32 });
  // An eighth and a thirty-second are kept.
  const many = ["a", "b", "c"].flatMap((address) => openMany(32, address, "busy"));
  expect(many.filter(({ refusal }) => refusal === "inAll").length).toBeGreaterThan(0);
  expect(places.size).toBe(56);
  for (const address of ["d", "e", "f"]) openMany(2, address, "busy");
  expect(places.size).toBe(62);
  expect(open("g").refusal).toBeUndefined();
  expect(places.size).toBe(62);
  const own = open("own", true);
  expect(own.refusal).toBeUndefined();
  places.become(own.holder, "busy");
  expect(open("own", true).refusal).toBeUndefined();
  expect(places.size).toBe(64);
});

test("proxies have no limit of their own, and give way last", () => {
  const { open, openMany } = placesOf({ inAll: 6, perAddress: 2 });
  const ofProxy = Array.from({ length: 4 }, () => open(undefined));
  const other = openMany(2, "a");
  expect(open("b").refusal).toBeUndefined();
  expect([...gaveWay(ofProxy), ...gaveWay(other)]).toEqual([false, false, false, false, true, false]);
});

test("when all are busy, the address with most loses its longest call to an address that would have fewer", () => {
  const { places, open, openMany } = placesOf({ inAll: 6, perAddress: 5 });
  const few = openMany(2, "few", "busy");
  const many = openMany(4, "many", "busy");
  places.become(many[0]!.holder, "idle");
  places.become(many[0]!.holder, "busy");
  openMany(1, "new", "busy");
  expect([gaveWay(few), gaveWay(many)]).toEqual([
    [false, false],
    [false, true, false, false],
  ]);
  // Then each has as many.
  expect(openMany(2, "new", "busy").map(({ refusal }) => refusal)).toEqual([undefined, "inAll"]);
  expect(open("many").refusal).toBe("inAll");
  expect(places.size).toBe(6);
});

test("places that are left are free, once", () => {
  const { places, open } = placesOf({ inAll: 2, perAddress: 2 });
  const { holder } = open("a");
  places.leave(holder);
  places.leave(holder);
  places.become(holder, "busy");
  expect(places.size).toBe(0);
  expect([open("a").refusal, open("a").refusal, places.size]).toEqual([undefined, undefined, 2]);
});
