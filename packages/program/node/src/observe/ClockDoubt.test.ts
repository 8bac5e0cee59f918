import type { BlockStatus, ChainEvent } from "@vedette/chain";
import { type Block, hashKey } from "@vedette/protocol";
import type { SyncEvent } from "@vedette/sync";
import { expect, test } from "vitest";
import { ClockDoubt } from "./ClockDoubt.js";

const minute = 60_000;
const validators = [1, 2, 3, 9].map((byte) => Uint8Array.of(byte));
/** The last of them has no stake. */
const stakes = new Map(validators.slice(0, 3).map((validator) => [hashKey(validator), 10n]));
const bonds = { stakes, total: 30n };

function doubt() {
  const clock = { nowMs: 100 * minute };
  const doubts = new ClockDoubt({
    ...{ wallMs: () => clock.nowMs, evenMs: () => clock.nowMs },
    isBonded: (key) => stakes.has(key),
  });
  let count = 0;
  const blockOf = (validator: number, ageMs: number): Block => {
    count += 1;
    const header = { timestamp: BigInt(clock.nowMs - ageMs) };
    return { hash: Uint8Array.of(7, count), sender: validators[validator]!, header } as Block;
  };
  return {
    ...{ clock, doubts },
    announced(validator: number, ageMs: number) {
      const block = blockOf(validator, ageMs);
      doubts.onSyncEvent({ type: "hashAccepted", kind: "broadcast", hash: block.hash } as SyncEvent);
      doubts.onChainEvent({ type: "blockAdded", block } as ChainEvent);
    },
    fetched(validator: number, ageMs: number) {
      doubts.onChainEvent({ type: "blockAdded", block: blockOf(validator, ageMs) } as ChainEvent);
    },
    refused(validator: number, aheadMs: number) {
      const block = blockOf(validator, -aheadMs);
      const { timestamp } = block.header;
      const notAfter = BigInt(clock.nowMs + 15_000);
      const status: BlockStatus = { status: "InvalidTimestamp", timestamp, notBefore: 0n, notAfter };
      doubts.onChainEvent({ type: "blockRefused", block, status, recorded: false });
    },
  };
}

test("a clock that is an hour behind is known by the blocks of most of the stake, which lie in its future", () => {
  const { doubts, refused, clock } = doubt();
  refused(0, 60 * minute);
  refused(3, 60 * minute);
  expect(doubts.find(bonds)).toBeUndefined();
  refused(1, 60 * minute);
  expect(doubts.find(bonds)).toEqual({
    ...{ code: "clockBehind", reason: "new blocks are dated 60 min later than this machine's clock" },
  });
  clock.nowMs += 11 * minute;
  expect(doubts.find(bonds)).toBeUndefined();
});

test("when the blocks are taken after all, the clock is right again", () => {
  const { doubts, refused, fetched } = doubt();
  refused(0, 60 * minute);
  refused(1, 60 * minute);
  fetched(0, 0);
  expect(doubts.find(bonds)).toBeUndefined();
});

test("a clock that is an hour ahead is known by blocks that are old when they are announced", () => {
  const { doubts, announced, fetched } = doubt();
  // A fetched block may have any age.
  for (const validator of [0, 1, 2]) fetched(validator, 90 * minute);
  expect(doubts.find(bonds)).toBeUndefined();
  announced(0, 60 * minute);
  announced(1, 60 * minute);
  expect(doubts.find(bonds)).toEqual({
    ...{ code: "clockAhead", reason: "new blocks are dated 60 min earlier than this machine's clock" },
  });
  announced(0, 1_000);
  expect(doubts.find(bonds)).toBeUndefined();
});

test("clocks that differ by seconds are right", () => {
  const { doubts, announced } = doubt();
  for (const validator of [0, 1, 2]) announced(validator, -9_000);
  expect(doubts.find(bonds)).toBeUndefined();
});
