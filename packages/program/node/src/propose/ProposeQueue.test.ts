import type { ProposeResult } from "@vedette/chain";
import { expect, test } from "vitest";
import type { NodeProposeEvent } from "./NodeProposeEvent.js";
import { type BlockMaker, ProposeQueue } from "./ProposeQueue.js";

/** Makes nothing until a test gives it the result. */
class WaitingMaker implements BlockMaker {
  readonly #waiting: ((result: ProposeResult) => void)[] = [];
  calls = 0;

  propose(started?: (sequenceNumber: number) => void): Promise<ProposeResult> {
    this.calls += 1;
    const call = this.calls;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      setImmediate(() => started?.(call));
    });
  }

  async end(result: ProposeResult): Promise<void> {
    this.#waiting.shift()!(result);
    await new Promise(setImmediate);
  }
}

const nothing = { status: "NoNewDeploys", sequenceNumber: 4 } as const;

function queue() {
  const maker = new WaitingMaker();
  const events: NodeProposeEvent[] = [];
  return { maker, events, queue: new ProposeQueue(maker, (event) => events.push(event)) };
}

test("a request is answered with what became of it", async () => {
  const { maker, events, queue: one } = queue();
  expect(await one.latestResult()).toBeUndefined();
  const answer = one.propose(false);
  expect(one.isBusy).toBe(true);
  const latest = one.latestResult();
  await maker.end(nothing);
  const notCreated = { kind: "notCreated", status: "NoNewDeploys", sequenceNumber: 4 };
  expect([await answer, await latest, await one.latestResult()]).toEqual([notCreated, notCreated, notCreated]);
  expect(one.isBusy).toBe(false);
  expect(events).toEqual([{ type: "proposeStarted" }]);
});

test("an asynchronous request is answered when the proposal has begun", async () => {
  const { maker, queue: one } = queue();
  expect(await one.propose(true)).toEqual({ kind: "started", sequenceNumber: 1 });
  expect(one.isBusy).toBe(true);
  await maker.end(nothing);
  expect(await one.latestResult()).toMatchObject({ kind: "notCreated" });
});

test("requests during a proposal are turned away, and one more proposal follows", async () => {
  const { maker, queue: one } = queue();
  const first = one.propose(false);
  for (let i = 0; i < 5; i += 1) expect(await one.propose(i % 2 === 0)).toEqual({ kind: "busy" });
  expect(await one.proposeNow()).toBeUndefined();
  await maker.end(nothing);
  expect(await first).toMatchObject({ kind: "notCreated" });
  expect(maker.calls).toBe(2);
  expect(one.isBusy).toBe(true);
  await maker.end({ status: "NotBonded", sequenceNumber: 5 });
  expect(maker.calls).toBe(2);
  expect(await one.latestResult()).toEqual({ kind: "notCreated", status: "NotBonded", sequenceNumber: 5 });
});

test("closing waits for the block that is being made, and nothing follows", async () => {
  const { maker, queue: one } = queue();
  const first = one.propose(false);
  one.trigger();
  let isClosed = false;
  const closed = one.close().then(() => (isClosed = true));
  expect(await one.propose(false)).toEqual({ kind: "busy" });
  expect(isClosed).toBe(false);
  await maker.end(nothing);
  await closed;
  await first;
  expect(maker.calls).toBe(1);
});
