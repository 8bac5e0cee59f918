import { approveCandidate, checkApprovals } from "@vedette/chain";
import type { ApprovedBlock, ApprovedBlockCandidate } from "@vedette/protocol";
import { rnode } from "@vedette/protocol";
import { until } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import type { BlockOutcome } from "../ports/ChainPort.js";
import { SyncError } from "../SyncError.js";
import type { SyncEvent } from "../SyncEvent.js";
import { systemTimers } from "../Timers.js";
import { FakeGenesis, testGenesis, testKey } from "../testing/FakeGenesis.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import type { CeremonyRules } from "./CeremonyMaster.js";
import { CeremonyMaster } from "./CeremonyMaster.js";

const one = testPeer("one");
const validators = ["a", "b", "c"];

class Ceremony implements AsyncDisposable {
  readonly peers = new FakePeers(one, testPeer("two"));
  readonly events: SyncEvent[] = [];
  readonly adopted: ApprovedBlock[] = [];
  readonly genesis = new FakeGenesis(validators);
  readonly master: CeremonyMaster;
  readonly ended = new AbortController();
  readonly result: Promise<unknown>;
  outcome: BlockOutcome = { kind: "valid" };

  constructor(rules: Partial<CeremonyRules> = {}) {
    this.master = new CeremonyMaster({
      genesis: this.genesis,
      rules: { requiredSignatures: 2, approveIntervalMs: 2, approveDurationMs: 3_600_000, ...rules },
      dialect: rnode,
      approved: {
        get: () => undefined,
        adoptGenesis: async (approved) => {
          expect(this.#said("ApprovedBlock")).toBe(0);
          this.adopted.push(approved);
          return this.outcome;
        },
        adoptImported: async () => {},
      },
      peers: this.peers,
      emit: (event) => this.events.push(event),
      nowMs: () => 1_600_000_000_000,
      timers: systemTimers,
    });
    this.result = this.master.run(this.ended.signal).catch((error: unknown) => error);
  }

  async until(type: SyncEvent["type"], times = 1): Promise<void> {
    const count = () => this.events.filter((event) => event.type === type).length;
    await until(`${type}, ${times} times`, () => count() >= times);
  }

  approve(name: string, change: (candidate: ApprovedBlockCandidate) => ApprovedBlockCandidate = (same) => same): void {
    const candidate = change({ block: testGenesis(validators, this.genesis.made), requiredSignatures: 2 });
    this.master.handle({ type: "BlockApproval", message: approveCandidate(candidate, testKey(name)) }, one);
  }

  types(): string[] {
    return this.events.map(({ type }) => type);
  }

  said: { readonly to: string; readonly type: string }[] = [];
  #said(type: string): number {
    this.said.push(...this.peers.take().map(({ to, message }) => ({ to, type: message.type })));
    return this.said.filter((one) => one.type === type).length;
  }

  countOf(type: string): number {
    return this.#said(type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ended.abort();
    await this.result;
  }
}

describe("the master of a ceremony", () => {
  test("repeats its request, and ends as soon as all validators have approved", async () => {
    await using ceremony = new Ceremony();
    await ceremony.until("ceremonyInProgress", 2);
    expect(ceremony.countOf("UnapprovedBlock")).toBeGreaterThanOrEqual(4);
    for (const name of validators) ceremony.approve(name);
    const approved = (await ceremony.result) as ApprovedBlock;
    expect(checkApprovals(approved, rnode)).toMatchObject({ isEnough: true, signers: { length: 3 } });
    expect(ceremony.adopted).toEqual([approved]);
    expect(ceremony.countOf("ApprovedBlock")).toBe(2);
    expect(ceremony.types().slice(-3)).toEqual(["ceremonyCompleting", "ceremonyFinished", "approvedBlockSent"]);
    expect(ceremony.events.find(({ type }) => type === "ceremonyCompleting")).toMatchObject({
      ...{ signatures: 3, validators: 3, requiredSignatures: 2, isTimeUp: false },
    });
  });

  test("does not wait for the end of an interval once all have approved", async () => {
    await using ceremony = new Ceremony({ approveIntervalMs: 3_600_000 });
    await ceremony.until("unapprovedBlockSent");
    for (const name of validators) ceremony.approve(name);
    expect(await ceremony.result).toMatchObject({ signatures: { length: 3 } });
  });

  test("waits for those that are not required until the time is up", async () => {
    await using ceremony = new Ceremony({ approveIntervalMs: 3_600_000, approveDurationMs: 20 });
    await ceremony.until("unapprovedBlockSent");
    ceremony.approve("a");
    ceremony.approve("c");
    expect(await ceremony.result).toMatchObject({ signatures: { length: 2 } });
    expect(ceremony.events.find(({ type }) => type === "ceremonyCompleting")).toMatchObject({ isTimeUp: true });
  });

  test("goes on after the time for as long as approvals are missing", async () => {
    await using ceremony = new Ceremony({ approveDurationMs: 1 });
    await ceremony.until("unapprovedBlockSent");
    ceremony.approve("a");
    await ceremony.until("ceremonyInProgress", 5);
    expect(ceremony.adopted).toEqual([]);
    ceremony.approve("b");
    expect(await ceremony.result).toMatchObject({ signatures: { length: 2 } });
  });

  test("takes approvals of bonded validators for its own candidate alone, and each once", async () => {
    await using ceremony = new Ceremony({ approveIntervalMs: 3_600_000 });
    await ceremony.until("unapprovedBlockSent");
    ceremony.approve("stranger");
    ceremony.approve("a", (candidate) => ({ ...candidate, requiredSignatures: 1 }));
    ceremony.approve("a", (candidate) => ({ ...candidate, block: testGenesis(validators, 99) }));
    ceremony.approve("a");
    ceremony.approve("a");
    expect(ceremony.events.slice(-5)).toMatchObject([
      { type: "approvalRefused", reason: "untrusted" },
      { type: "approvalRefused", reason: "invalid" },
      { type: "approvalRefused", reason: "invalid" },
      { type: "approvalReceived", isNew: true, signers: { length: 1 } },
      { type: "approvalReceived", isNew: false, signers: { length: 1 } },
    ]);
    // A much larger message than the candidate is not an approval of it.
    expect(ceremony.master.wantsApproval(2000)).toBe(true);
    expect(ceremony.master.wantsApproval(1_000_000)).toBe(false);
  });

  test("approves alone where no approval is required", async () => {
    await using ceremony = new Ceremony({ requiredSignatures: 0 });
    expect(await ceremony.result).toMatchObject({ candidate: { requiredSignatures: 0 }, signatures: [] });
    expect(ceremony.types()).toEqual([
      ...["ceremonyStarted", "genesisSelfApproved", "ceremonyFinished", "approvedBlockSent"],
    ]);
    expect(ceremony.countOf("UnapprovedBlock")).toBe(0);
  });

  test("has no approved block to give before the ceremony is complete", async () => {
    await using ceremony = new Ceremony();
    await ceremony.until("unapprovedBlockSent");
    ceremony.master.handle({ type: "ApprovedBlockRequest", message: { identifier: "", trimState: true } }, one);
    expect(ceremony.countOf("NoApprovedBlockAvailable")).toBe(1);
  });

  test("sends its request to a validator that comes between two rounds at once, and once", async () => {
    await using ceremony = new Ceremony({ approveIntervalMs: 3_600_000 });
    await ceremony.until("unapprovedBlockSent");
    expect(ceremony.countOf("UnapprovedBlock")).toBe(2);
    const late = testPeer("late");
    for (const peer of [one, late, late]) {
      ceremony.master.handle({ type: "ApprovedBlockRequest", message: { identifier: "", trimState: true } }, peer);
    }
    expect(ceremony.countOf("UnapprovedBlock")).toBe(3);
    expect(ceremony.said.at(-2)).toEqual({ to: "late", type: "UnapprovedBlock" });
  });

  test("announces no block to peers that it cannot begin with itself", async () => {
    await using ceremony = new Ceremony({ requiredSignatures: 0 });
    ceremony.outcome = { kind: "invalid", status: "InvalidTransaction", inDag: false };
    expect(await ceremony.result).toEqual(new SyncError({ code: "ownGenesisRejected", status: "InvalidTransaction" }));
    expect(ceremony.countOf("ApprovedBlock")).toBe(0);
  });

  test("ends in the middle when it is stopped", async () => {
    await using ceremony = new Ceremony({ approveIntervalMs: 3_600_000 });
    await ceremony.until("unapprovedBlockSent");
    ceremony.ended.abort(new Error("stop"));
    expect(await ceremony.result).toEqual(new Error("stop"));
    expect(ceremony.adopted).toEqual([]);
  });
});
