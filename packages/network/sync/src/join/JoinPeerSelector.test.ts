import { toHex } from "@vedette/crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { systemTimers } from "../Timers.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testHash } from "../testing/testBlock.js";
import { JoinPeerSelector } from "./JoinPeerSelector.js";

const bootstrap = testPeer("bootstrap");
const [good, empty] = [testPeer("good"), testPeer("empty")];
const [first, second, third] = [testHash("first"), testHash("second"), testHash("third")];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function sourcesOf(...others: readonly ReturnType<typeof testPeer>[]) {
  const peers = new FakePeers(bootstrap, ...others);
  const events: SyncEvent[] = [];
  const questions: number[] = [];
  const sources = new JoinPeerSelector({
    ...{ peers, bootstrap, timers: systemTimers, nowMs: () => Date.now(), emit: (event) => events.push(event) },
    onRequestedAgain: (count) => questions.push(count),
  });
  const asked = () =>
    peers.take().map(({ to, message }) => {
      if (message.type !== "BlockRequest") throw new Error(`not a question: ${message.type}`);
      return `${to} ${toHex(message.message.hash).slice(0, 4)}`;
    });
  return { sources, asked, events, questions };
}

const question = (peer: ReturnType<typeof testPeer>, hash: Uint8Array) => `${peer.host} ${toHex(hash).slice(0, 4)}`;

describe("peers from which a joiner requests a block", () => {
  test("the bootstrap first, and after half a second of silence another one", () => {
    const { sources, asked, questions } = sourcesOf(good);
    using _ = sources;
    sources.ask(first);
    expect(asked()).toEqual([question(bootstrap, first)]);
    vi.advanceTimersByTime(499);
    expect(asked()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(asked()).toEqual([question(good, first)]);
    expect(questions).toEqual([2]);
  });

  test("one that has answered before a silent one, and the one with fewer questions before the other", () => {
    const { sources, asked } = sourcesOf(empty, good);
    using _ = sources;
    sources.received(third, good);
    sources.ask(first);
    sources.ask(second);
    expect(asked()).toEqual([question(bootstrap, first), question(good, second)]);
    sources.received(second, good);
    vi.advanceTimersByTime(500);
    // The bootstrap was silent: from now on it comes last.
    expect(asked()).toEqual([question(good, first)]);
    sources.ask(third);
    expect(asked()).toEqual([question(good, third)]);
  });

  test("not another one while the first sends other blocks", () => {
    const { sources, asked } = sourcesOf(good);
    using _ = sources;
    sources.ask(first);
    sources.ask(second);
    vi.advanceTimersByTime(400);
    sources.received(second, bootstrap);
    asked();
    vi.advanceTimersByTime(400);
    expect(asked()).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(asked()).toEqual([question(good, first)]);
  });

  test("all again, after a longer pause each time, which is reported when it takes seconds", () => {
    const { sources, asked, events } = sourcesOf(good);
    using _ = sources;
    sources.ask(first);
    vi.advanceTimersByTime(500 + 1_000 + 2_000 + 4_000);
    expect(asked().map((text) => text.split(" ")[0])).toEqual(["bootstrap", "good", "bootstrap", "good", "bootstrap"]);
    expect(events).toEqual([
      { type: "blocksIdle", idleMs: 2_000, nextMs: 4_000 },
      { type: "blocksIdle", idleMs: 4_000, nextMs: 8_000 },
    ]);
  });

  test("another one at once, when it gave something else under the hash", () => {
    const { sources, asked } = sourcesOf(good);
    using _ = sources;
    sources.ask(first);
    asked();
    sources.distrust(first, bootstrap);
    expect(asked()).toEqual([question(good, first)]);
  });

  test("for as many blocks at once as peers can queue, and for the others when those have come", () => {
    const { sources, asked } = sourcesOf();
    using _ = sources;
    const hashes = Array.from({ length: 100 }, (_, index) => testHash(`block ${index}`));
    for (const hash of hashes) sources.ask(hash);
    expect(asked().length).toBe(32);
    for (const hash of hashes.slice(0, 10)) sources.received(hash, bootstrap);
    expect(asked()).toEqual(hashes.slice(32, 42).map((hash) => question(bootstrap, hash)));
  });
});
