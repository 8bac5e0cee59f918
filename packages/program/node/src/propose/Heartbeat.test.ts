import type { ProposeConditions, ProposeOptions, ProposeResult, ValidatorStanding } from "@vedette/chain";
import { describe, expect, test } from "vitest";
import { FakeTime } from "../testing/FakeTime.js";
import { Heartbeat, type HeartbeatOptions } from "./Heartbeat.js";
import { progressRule } from "./HeartbeatRule.js";
import type { NodeProposeEvent } from "./NodeProposeEvent.js";

const standing: ValidatorStanding = {
  ...{ number: 8n, lag: 1, unfinalized: 1, isAhead: false, unseen: 0, ownLatestMs: undefined },
  ...{ newestMs: 1_000_000_000, news: "blocks" },
};
const quiet: ProposeConditions = {
  turn: 0,
  activeValidators: 3,
  hasWaitingDeploy: false,
  hasUnfinalizedDeploy: false,
  slashes: 0,
  mayPropose: true,
  lastFinalizedMs: 1_000_000_000,
  standing,
};

function heartbeat(time: FakeTime, conditions: () => ProposeConditions, options: Partial<HeartbeatOptions> = {}) {
  const events: NodeProposeEvent[] = [];
  const proposedMs: number[] = [];
  const proposals: ProposeOptions[] = [];
  const given: { result: ProposeResult } = { result: { status: "NotEnoughNewBlocks", sequenceNumber: 7 } };
  const beat = new Heartbeat({
    proposer: { conditions: async () => conditions() },
    queue: {
      proposeNow: async (proposal = {}) => {
        proposedMs.push(time.nowMs);
        proposals.push({ mayBeEmpty: proposal.mayBeEmpty });
        return given.result;
      },
    },
    checkIntervalMs: 6_000,
    maximumLfbAgeMs: 60_000,
    rule: progressRule(60_000),
    wakesOnDeploy: false,
    emit: (event) => events.push(event),
    nowMs: () => time.nowMs,
    wait: time.wait,
    ...options,
  });
  const end = new AbortController();
  const running = beat.run(end.signal);
  const stop = async (): Promise<void> => {
    end.abort();
    await running;
  };
  return { beat, events, proposedMs, proposals, given, stop };
}

describe("a heartbeat", () => {
  test("beats at its validator's share of the interval on the common clock", async () => {
    const time = new FakeTime();
    const all = [0, 1, 2].map((turn) => heartbeat(time, () => ({ ...quiet, turn, hasWaitingDeploy: true })));
    await time.pass(18_000);
    for (const [turn, { proposedMs }] of all.entries()) {
      expect(proposedMs.length).toBe(3);
      expect(proposedMs.map((at) => at % 6_000)).toEqual(Array.from({ length: 3 }, () => turn * 2_000));
    }
    await Promise.all(all.map(({ stop }) => stop()));
    expect(all[1]?.events[0]).toEqual({
      type: "heartbeatStarted",
      delayMs: (2_000 - (1_000_000_500 % 6_000) + 6_000) % 6_000,
      checkIntervalMs: 6_000,
      maximumLfbAgeMs: 60_000,
    });
    expect(all[0]?.events.slice(1, 3)).toEqual([
      { type: "heartbeatProposes", reason: "a deploy waits" },
      { type: "heartbeatFailed", status: "NotEnoughNewBlocks", sequenceNumber: 7 },
    ]);
  });

  test("proposes for a reason only", async () => {
    const reasonOf = async (change: Partial<ProposeConditions>): Promise<string | undefined> => {
      const time = new FakeTime();
      const { events, stop } = heartbeat(time, () => ({ ...quiet, ...change }));
      await time.pass(6_000);
      await stop();
      const [decision] = events.filter(({ type }) => !["heartbeatStarted", "heartbeatWaits"].includes(type));
      return decision?.type === "heartbeatProposes" ? decision.reason : decision?.type;
    };
    expect(await reasonOf({})).toBeUndefined();
    expect(await reasonOf({ hasWaitingDeploy: true, mayPropose: false })).toBe("a deploy waits");
    expect(await reasonOf({ hasUnfinalizedDeploy: true })).toBe("a deploy is not final yet");
    expect(await reasonOf({ hasUnfinalizedDeploy: true, mayPropose: false })).toBeUndefined();
    expect(await reasonOf({ slashes: 1 })).toBe("a validator is to be slashed");
    expect(await reasonOf({ lastFinalizedMs: 999_900_000 })).toBe("the last finalized block is old");
    expect(await reasonOf({ lastFinalizedMs: 999_900_000, mayPropose: false })).toBeUndefined();
    expect(await reasonOf({ turn: undefined, hasWaitingDeploy: true })).toBe("heartbeatNotBonded");
  });

  test("wants no block without deploys where a deploy is the only reason", async () => {
    for (const hasUnfinalizedDeploy of [false, true]) {
      const time = new FakeTime();
      const { proposals, stop } = heartbeat(time, () => ({ ...quiet, hasWaitingDeploy: true, hasUnfinalizedDeploy }));
      await time.pass(6_000);
      expect(proposals).toEqual([{ mayBeEmpty: hasUnfinalizedDeploy }]);
      await stop();
    }
  });

  test("reports once why it makes no block", async () => {
    const time = new FakeTime();
    const { events, stop } = heartbeat(time, () => quiet);
    await time.pass(30_000);
    await stop();
    expect(events.slice(1)).toEqual([{ type: "heartbeatWaits", why: "nothing waits" }]);
  });

  test("rests after own blocks that are not valid, longer each time, up to a minute", async () => {
    const time = new FakeTime();
    const { given, proposedMs, stop } = heartbeat(time, () => ({ ...quiet, hasWaitingDeploy: true }));
    given.result = { status: "BugError", sequenceNumber: 7 };
    await time.pass(300_000);
    const gaps = proposedMs.slice(1).map((at, index) => Math.round((at - proposedMs[index]!) / 6_000));
    expect(gaps.slice(0, 5)).toEqual([2, 4, 8, 10, 10]);
    given.result = { status: "NoNewDeploys", sequenceNumber: 7 };
    const before = proposedMs.length;
    await time.pass(120_000);
    expect(proposedMs.length).toBeGreaterThan(before + 9);
    await stop();
  });

  test("a deploy wakes it where it is configured to", async () => {
    for (const wakesOnDeploy of [true, false]) {
      const time = new FakeTime();
      let hasWaitingDeploy = false;
      const { beat, proposedMs, stop } = heartbeat(time, () => ({ ...quiet, hasWaitingDeploy }), { wakesOnDeploy });
      await time.pass(1_000);
      hasWaitingDeploy = true;
      beat.onDeploy();
      await time.pass(10);
      expect(proposedMs.length).toBe(wakesOnDeploy ? 1 : 0);
      // Not again before an interval is over, except in its turn.
      beat.onDeploy();
      await time.pass(10);
      expect(proposedMs.length).toBe(wakesOnDeploy ? 1 : 0);
      await stop();
    }
  });

  test("a chain that has not begun is looked at again", async () => {
    const time = new FakeTime();
    let isBegun = false;
    const { events, proposedMs, stop } = heartbeat(time, () => {
      if (!isBegun) throw new TypeError("not begun");
      return { ...quiet, hasWaitingDeploy: true };
    });
    await time.pass(7_000);
    expect(events.filter(({ type }) => type === "heartbeatSkipped").length).toBeGreaterThan(0);
    isBegun = true;
    await time.pass(12_000);
    expect(proposedMs.length).toBeGreaterThan(0);
    await stop();
  });
});
