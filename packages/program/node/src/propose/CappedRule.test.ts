import type { ProposeConditions, ValidatorStanding } from "@vedette/chain";
import { describe, expect, test } from "vitest";
import { CappedRule, type HeartbeatCaps, maxUnseen } from "./CappedRule.js";

/** f1r3node's defaults. */
const caps: HeartbeatCaps = {
  ...{ selfProposeCooldownMs: 3_000, staleRecoveryMinIntervalMs: 3_000 },
  ...{ finalityProgressTimeoutMs: 30_000, deployFinalizationGraceMs: 25_000 },
  ...{ frontierChaseMaxLag: 20, pendingDeployMaxLag: 20, deployRecoveryMaxLag: 64 },
  emptyFrontierMaxUnfinalizedBlocks: 64,
};
const nowMs = 1_000_000;
const usualStanding: ValidatorStanding = {
  ...{ number: 30n, lag: 3, unfinalized: 5, isAhead: true, unseen: 0 },
  ...{ ownLatestMs: nowMs - 5_000, newestMs: nowMs - 4_000, news: "blocks" },
};
const usual: Omit<ProposeConditions, "standing"> = {
  ...{ turn: 1, activeValidators: 3, hasWaitingDeploy: false, hasUnfinalizedDeploy: false },
  ...{ slashes: 0, mayPropose: true, lastFinalizedMs: nowMs - 10_000 },
};

type Change = Partial<Omit<ProposeConditions, "standing">> & { readonly standing?: Partial<ValidatorStanding> };

const maximumLfbAgeMs = 5_000;

function choice({ standing, ...change }: Change, rule = new CappedRule(caps, maximumLfbAgeMs)) {
  return rule.choose({ ...usual, ...change, standing: { ...usualStanding, ...standing } }, nowMs);
}

const kindOf = (change: Change, rule?: CappedRule): string => choice(change, rule).kind;
const deploy = { hasWaitingDeploy: true };
/** The validator that has the turn at #30, of three. */
const leader = { turn: 0 };

describe("a deploy that waits", () => {
  test("comes into a block up to the cap, and above it by the leader alone", () => {
    expect(choice({ ...deploy, standing: { lag: 20 } })).toMatchObject({ kind: "propose", reason: "a deploy waits" });
    expect(kindOf({ ...deploy, standing: { lag: 21 } })).toBe("wait");
    expect(kindOf({ ...deploy, ...leader, standing: { lag: 21 } })).toBe("propose");
    expect(kindOf({ ...deploy, standing: { lag: 500, isAhead: false } })).toBe("propose");
  });

  test("waits for the cooldown, unless the own last block is final", () => {
    const young = { ownLatestMs: nowMs - 2_999 };
    expect(kindOf({ ...deploy, standing: young })).toBe("wait");
    expect(kindOf({ ...deploy, ...leader, standing: { ...young, lag: 21 } })).toBe("wait");
    expect(kindOf({ ...deploy, standing: { ...young, isAhead: false } })).toBe("propose");
  });

  test("has the larger cap for a while after a block with deploys, where the others keep up", () => {
    const rule = new CappedRule(caps, maximumLfbAgeMs);
    rule.noteProposed(nowMs - 24_999);
    expect(kindOf({ ...deploy, standing: { lag: 64 } }, rule)).toBe("propose");
    expect(kindOf({ ...deploy, standing: { lag: 65 } }, rule)).toBe("wait");
    rule.noteProposed(nowMs - 25_000);
    expect(kindOf({ ...deploy, standing: { lag: 64 } }, rule)).toBe("wait");
  });

  test("makes no empty block if nothing else requires one", () => {
    const fresh = { ...deploy, lastFinalizedMs: nowMs };
    expect(choice(fresh)).toMatchObject({ mayBeEmpty: false });
    expect(choice({ ...fresh, slashes: 1 })).toMatchObject({ mayBeEmpty: true });
    expect(choice({ ...fresh, hasUnfinalizedDeploy: true })).toMatchObject({ mayBeEmpty: true });
    expect(choice({ ...fresh, hasUnfinalizedDeploy: true, standing: { news: "none" } })).toMatchObject({
      mayBeEmpty: false,
    });
  });

  test("does not wait for a leader that is away for ever", () => {
    const high = { ...deploy, standing: { lag: 21, newestMs: nowMs - 29_999 } };
    const turns = (standing: Partial<ValidatorStanding>) =>
      [0, 1, 2].filter((turn) => kindOf({ ...high, turn, standing: { ...high.standing, ...standing } }) === "propose");
    expect(turns({})).toEqual([0]);
    expect(turns({ newestMs: nowMs - 30_000 })).toEqual([1]);
    expect(turns({ newestMs: nowMs - 89_999 })).toEqual([2]);
    expect(turns({ newestMs: nowMs - 90_000 })).toEqual([0]);
  });
});

test("a validator with blocks that no other has waits while finality does not follow, but not for ever", () => {
  const alone = { unseen: maxUnseen, lag: maxUnseen + 1, ownLatestMs: nowMs - 29_999 };
  for (const change of [deploy, { slashes: 1 }, { hasUnfinalizedDeploy: true }, {}])
    for (const turn of [0, 1, 2]) expect(kindOf({ ...change, turn, standing: alone })).toBe("wait");
  expect(kindOf({ ...deploy, standing: { ...alone, unseen: maxUnseen - 1 } })).toBe("propose");
  expect(kindOf({ ...deploy, standing: { ...alone, lag: maxUnseen } })).toBe("propose");
  expect(kindOf({ ...deploy, standing: { ...alone, isAhead: false } })).toBe("propose");
  expect(kindOf({ ...deploy, standing: { ...alone, ownLatestMs: nowMs - 30_000 } })).toBe("propose");
});

describe("a block without deploys", () => {
  test("has a reason: a slash, a deploy that is not final, an old last finalized block", () => {
    expect(choice({ lastFinalizedMs: nowMs - 5_000 })).toEqual({ kind: "wait", why: "nothing waits" });
    expect(choice({})).toMatchObject({ reason: "the last finalized block is old" });
    expect(choice({ hasUnfinalizedDeploy: true })).toMatchObject({ reason: "a deploy is not final yet" });
    expect(choice({ slashes: 1 })).toMatchObject({ reason: "a validator is to be slashed" });
  });

  test("follows news of others only, so that none is alone with the next", () => {
    const none = { news: "none" } as const;
    expect(kindOf({ standing: none })).toBe("wait");
    expect(kindOf({ hasUnfinalizedDeploy: true, standing: none })).toBe("wait");
    expect(kindOf({ standing: { ...none, isAhead: false } })).toBe("propose");
  });

  test("comes after the newest one has had its time, but at once for a deploy", () => {
    const young = { newestMs: nowMs - 2_999 };
    expect(kindOf({ standing: young })).toBe("wait");
    expect(kindOf({ hasUnfinalizedDeploy: true, standing: young })).toBe("propose");
  });

  test("keeps to its caps", () => {
    expect(kindOf({ standing: { lag: 20 } })).toBe("propose");
    expect(kindOf({ standing: { lag: 21 } })).toBe("wait");
    expect(kindOf({ hasUnfinalizedDeploy: true, standing: { lag: 64 } })).toBe("propose");
    expect(kindOf({ hasUnfinalizedDeploy: true, standing: { lag: 65 } })).toBe("wait");
    expect(kindOf({ standing: { unfinalized: 63 } })).toBe("propose");
    expect(kindOf({ standing: { unfinalized: 64 } })).toBe("wait");
  });

  test("is the leader's if finality is stalled", () => {
    const stuck = { news: "none", newestMs: nowMs - 5_001 } as const;
    expect([0, 1, 2].filter((turn) => kindOf({ turn, standing: stuck }) === "propose")).toEqual([0]);
    expect(kindOf({ ...leader, standing: { ...stuck, unfinalized: 64 } })).toBe("propose");
    expect(kindOf({ ...leader, standing: { ...stuck, lag: 0 } })).toBe("wait");
    expect(kindOf({ ...leader, standing: { lag: 21, unfinalized: 64 } })).toBe("wait");
  });
});
