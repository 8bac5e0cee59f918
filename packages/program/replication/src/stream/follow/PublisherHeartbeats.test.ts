import { describe, expect, test } from "vitest";
import { lifeMessage } from "../plainMessages.js";
import { StreamNames } from "../StreamNames.js";
import { heartbeatTimeoutMs, PublisherHeartbeats } from "./PublisherHeartbeats.js";

const names = new StreamNames("test");
const at = 1_000_000;

interface Sign {
  readonly publisher: string;
  readonly left: number;
  readonly behindMs: number | null;
  readonly isNodeRunning: boolean;
}

function beat(signs: PublisherHeartbeats, nowMs: number, change: Partial<Sign> = {}): void {
  const sign = { publisher: "one", left: 0, behindMs: 0, isNodeRunning: true, ...change };
  signs.take(names.life(sign.publisher), lifeMessage(sign), nowMs);
}

describe("a stream", () => {
  test("without any heartbeat counts as complete", () => {
    const signs = new PublisherHeartbeats(names);
    signs.begin([], at - 3_600_000);
    expect(signs.completeUntilMs(at)).toBe(at);
  });

  test("is whole while a publisher reports it, and until then afterwards", () => {
    const signs = new PublisherHeartbeats(names);
    signs.begin([names.life("one")], at - 60_000);
    expect(signs.completeUntilMs(at)).toBe(at - 60_000);
    beat(signs, at);
    expect(signs.completeUntilMs(at + heartbeatTimeoutMs)).toBe(at + heartbeatTimeoutMs);
    expect(signs.completeUntilMs(at + heartbeatTimeoutMs + 1)).toBe(at);
    beat(signs, at + 20_000, { publisher: "two" });
    expect(signs.completeUntilMs(at + 20_001)).toBe(at + 20_001);
    expect(signs.publishers().map(({ publisher }) => publisher)).toEqual(["one", "two"]);
  });

  test("is as old as what a publisher that lags behind its node had last", () => {
    const signs = new PublisherHeartbeats(names);
    beat(signs, at, { left: 400, behindMs: 8_000 });
    expect(signs.completeUntilMs(at)).toBe(at - 8_000);
    beat(signs, at + 1_000, { left: 3, behindMs: 40 });
    expect(signs.completeUntilMs(at + 1_000)).toBe(at + 1_000);
    beat(signs, at + 2_000, { left: 900, behindMs: 9_000 });
    expect(signs.completeUntilMs(at + 2_000)).toBe(at + 2_000);
  });

  test("is not declared complete by a publisher that never was at the end, nor by one with a stopped node", () => {
    const signs = new PublisherHeartbeats(names);
    beat(signs, at, { left: 10_000, behindMs: null });
    beat(signs, at, { publisher: "two", isNodeRunning: false });
    expect(signs.completeUntilMs(at)).toBeUndefined();
    expect(signs.publishers()).toMatchObject([
      { left: 10_000, isNodeRunning: true },
      { publisher: "two", isNodeRunning: false },
    ]);
  });

  test("is not called whole by an invalid heartbeat, or by a publisher that does not count", () => {
    const signs = new PublisherHeartbeats(names, ["one"]);
    signs.begin([names.life("other")], undefined);
    const whole = { left: 0, behindMs: 0, isNodeRunning: true };
    const lies: [string, Uint8Array][] = [
      [names.life("one"), Uint8Array.of(1, 2, 3)],
      [names.life("one"), new Uint8Array(1 << 20)],
      [names.life("one"), lifeMessage({ ...whole, publisher: "other" })],
      [names.life("other"), lifeMessage({ ...whole, publisher: "other" })],
      [names.life("one"), lifeMessage({ ...whole, publisher: "one", left: -1 })],
      [names.life("one"), lifeMessage({ ...whole, publisher: "one", behindMs: 0.5 })],
    ];
    for (const [subject, bytes] of lies) signs.take(subject, bytes, at);
    expect(signs.publishers()).toEqual([]);
    // No publisher that counts has ever sent a heartbeat.
    expect(signs.completeUntilMs(at)).toBe(at);
    signs.begin([names.life("one")], undefined);
    for (const [subject, bytes] of lies) signs.take(subject, bytes, at);
    expect(signs.completeUntilMs(at)).toBeUndefined();
  });

  test("keeps the heartbeats of the last 64 publishers", () => {
    const signs = new PublisherHeartbeats(names);
    for (let number = 0; number < 100; number += 1) beat(signs, at + number, { publisher: `p${number}` });
    const kept = signs.publishers().map(({ publisher }) => publisher);
    expect(kept).toHaveLength(64);
    expect(kept).not.toContain("p35");
    expect(kept).toContain("p36");
  });
});
