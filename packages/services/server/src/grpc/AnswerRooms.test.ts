import { setImmediate } from "node:timers/promises";
import { Code } from "@connectrpc/connect";
import { afterEach, describe, expect, test, vi } from "vitest";
import { AnswerRooms } from "./AnswerRooms.js";

const mebibyte = 1 << 20;

afterEach(() => {
  vi.useRealTimers();
});

/** A server that has room for four answers of a mebibyte, two of each client. */
function trial() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let ms = 0;
  const rooms = new AnswerRooms({ nowMs: () => ms, maxBytes: 4 * mebibyte, maxBytesOfClient: 2 * mebibyte });
  const begun: string[] = [];
  const cut: string[] = [];
  return {
    ...{ rooms, begun, cut },
    /** Requests room; resolves when all that can begin has begun. */
    async ask(name: string, client: object, bytes = mebibyte) {
      const taker = { client, isOver: () => false, cutOff: () => void cut.push(name) };
      const taken = rooms.take(taker, bytes).then(() => void begun.push(name));
      taken.catch(() => undefined);
      await settle();
      return { taker, taken };
    },
    async pass(seconds: number) {
      for (let at = 0; at < seconds; at += 1) {
        ms += 1_000;
        vi.advanceTimersByTime(1_000);
        await settle();
      }
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
}

describe("an answer", () => {
  test("that is short is made at once, even if others wait", async () => {
    const { ask, begun } = trial();
    const client = {};
    for (let at = 0; at < 3; at += 1) await ask(`large ${at}`, client);
    await ask("short", client, 100_000);
    expect(begun).toEqual(["large 0", "large 1", "short"]);
  });

  test("is made when its client has taken the earlier ones; other clients do not wait for these", async () => {
    const { ask, begun, rooms } = trial();
    const client = {};
    const first = await ask("first", client);
    for (const name of ["second", "third", "fourth"]) await ask(name, client);
    await ask("other", {});
    expect(begun).toEqual(["first", "second", "other"]);
    rooms.leave(first.taker);
    await settle();
    expect(begun).toEqual(["first", "second", "other", "third"]);
  });

  test("waits until there is room among all, and clients have turns", async () => {
    const { ask, begun, rooms } = trial();
    const clients = [{}, {}, {}, {}];
    const held = [];
    for (const [at, client] of clients.slice(0, 2).entries())
      for (const call of [0, 1]) held.push(await ask(`held ${at}.${call}`, client));
    for (const call of [0, 1, 2]) await ask(`busy ${call}`, clients[2]!);
    await ask("other", clients[3]!);
    expect(begun).toHaveLength(4);
    for (const { taker } of held) rooms.leave(taker);
    await settle();
    expect(begun.slice(4)).toEqual(["busy 0", "other", "busy 1"]);
  });

  test("that is longer than all that is allowed is made when it is the only one", async () => {
    const { ask, begun, rooms } = trial();
    const one = await ask("one", {});
    await ask("long", {}, 5 * mebibyte);
    await ask("behind it", {});
    expect(begun).toEqual(["one"]);
    rooms.leave(one.taker);
    await settle();
    expect(begun).toEqual(["one", "long"]);
  });

  test("is not made for a client that has gone", async () => {
    const { ask, begun, rooms } = trial();
    const client = {};
    const [first, , third] = [await ask("1", client), await ask("2", client), await ask("3", client)];
    rooms.leave(third.taker);
    await expect(third.taken).rejects.toMatchObject({ code: Code.Canceled });
    rooms.leave(first.taker);
    await settle();
    expect(begun).toEqual(["1", "2"]);
    const gone = { client: {}, isOver: () => true, cutOff: () => undefined };
    await expect(rooms.take(gone, mebibyte)).rejects.toMatchObject({ code: Code.Canceled });
  });
});

describe("a client that takes nothing", () => {
  test("is cut off only while an answer waits for its room", async () => {
    const { ask, begun, cut, rooms, pass } = trial();
    const reading = await ask("reading", {});
    const client = {};
    for (let at = 0; at < 3; at += 1) await ask(`idle ${at}`, at < 2 ? client : {});
    await pass(60);
    expect(cut).toEqual([]);
    rooms.took(reading.taker);
    await ask("waiting", {});
    await pass(2);
    expect([cut, begun.at(-1)]).toEqual([["idle 0"], "waiting"]);
  });

  test("is not cut off for a client that waits only for its own answers", async () => {
    const { ask, cut, pass } = trial();
    await ask("slow", {});
    const client = {};
    for (let at = 0; at < 3; at += 1) await ask(`${at}`, client);
    await pass(16);
    expect(cut).toEqual(["0"]);
  });

  test("has time for it", async () => {
    const { ask, cut, pass } = trial();
    const client = {};
    for (let at = 0; at < 3; at += 1) await ask(`${at}`, client);
    await pass(14);
    expect(cut).toEqual([]);
    await pass(2);
    expect(cut).toEqual(["0"]);
  });
});

test("one answer is made in a turn of the event loop", async () => {
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  const rooms = new AnswerRooms({ nowMs: () => 0 });
  const begun: number[] = [];
  for (let at = 0; at < 3; at += 1)
    void rooms.take({ client: {}, isOver: () => false, cutOff: () => undefined }, mebibyte).then(() => begun.push(at));
  for (let turn = 1; turn <= 3; turn += 1) {
    await Promise.resolve().then(() => undefined);
    expect(begun).toHaveLength(turn);
    vi.advanceTimersToNextTimer();
  }
});
