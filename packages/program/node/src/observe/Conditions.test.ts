import { expect, test } from "vitest";
import { Conditions } from "./Conditions.js";

function kept() {
  const lines: string[] = [];
  const clock = { nowMs: 1_000_000 };
  const held = new Conditions(
    () => clock.nowMs,
    ({ level, text }) => lines.push(`${level} ${text}`),
  );
  return { lines, clock, held };
}

test("a condition is logged with its beginning, once when it begins and once when it is over", () => {
  const { lines, clock, held } = kept();
  const stalled = { code: "stalled", reason: "no block has got done" } as const;
  expect(held.note([stalled])).toEqual([{ ...stalled, sinceMs: 1_000_000 }]);
  clock.nowMs += 5_000;
  expect(held.note([stalled])).toEqual([{ ...stalled, sinceMs: 1_000_000 }]);
  clock.nowMs += 500;
  expect(held.note([])).toEqual([]);
  expect(held.note([])).toEqual([]);
  expect(lines).toEqual([
    "warn stalled: no block has got done. Check the log, the peers, and the machine's processors and disk; restart the node.",
    "info stalled is over, after 6 s.",
  ]);
});

test("what passes by itself at a start is reported when it does not pass, with its true beginning", () => {
  const { lines, clock, held } = kept();
  const noPeers = { code: "noPeers", reason: "no peer is connected" } as const;
  expect(held.note([noPeers])).toEqual([]);
  clock.nowMs += 9_999;
  expect(held.note([noPeers])).toEqual([]);
  expect(held.note([])).toEqual([]);
  expect(lines).toEqual([]);
  held.note([noPeers]);
  clock.nowMs += 10_000;
  expect(held.note([noPeers])).toEqual([{ ...noPeers, sinceMs: 1_009_999 }]);
});

test("a finder may give the beginning of a condition", () => {
  const { held } = kept();
  const full = { code: "diskFull", reason: "no room", sinceMs: 400_000 } as const;
  expect(held.note([full])).toEqual([full]);
});
