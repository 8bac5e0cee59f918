import { describe, expect, test } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testHash } from "../testing/testBlock.js";
import { BlockRetriever, type RetrieverLimits } from "./BlockRetriever.js";

const one = testPeer("one");
const other = testPeer("other");

function setUp(limits: Partial<RetrieverLimits> = {}) {
  const peers = new FakePeers(one);
  const events: SyncEvent[] = [];
  const clock = { now: 0 };
  const emit = (event: SyncEvent) => events.push(event);
  const retriever = new BlockRetriever({ peers, emit, nowMs: () => clock.now, limits });
  const said = () => peers.take().map(({ to, message }) => `${message.type} to ${to}`);
  return { retriever, events, clock, said };
}

const hash = testHash("a block");

describe("the retriever of blocks", () => {
  test("requests a block from the peer that has it, at once", () => {
    const { retriever, said, events } = setUp();
    retriever.admit(hash, one, "HasBlockMessageReceived");
    expect(said()).toEqual(["BlockRequest to one"]);
    expect(events).toEqual([{ type: "hashRequested", hash, reason: "HasBlockMessageReceived" }]);
  });

  test("requests from all peers a hash that none has announced, then from the first that answers", () => {
    const { retriever, said } = setUp();
    retriever.admit(hash, undefined, "MissingDependencyRequested");
    expect(said()).toEqual(["HasBlockRequest to all"]);
    retriever.admit(hash, one, "HasBlockMessageReceived");
    expect(said()).toEqual(["BlockRequest to one"]);
    retriever.admit(hash, one, "HasBlockMessageReceived");
    retriever.admit(hash, other, "HasBlockMessageReceived");
    expect(said()).toEqual([]);
  });

  test("requests from an avoided peer only when no other has announced the block", () => {
    const { retriever, said, clock } = setUp();
    retriever.admit(hash, one, "MissingDependencyRequested", { avoided: one.id });
    expect(said()).toEqual(["HasBlockRequest to all"]);
    clock.now += 1000;
    retriever.requestAgain();
    expect(said()).toEqual([]);
    clock.now += 1;
    retriever.requestAgain();
    retriever.requestAgain();
    expect(said()).toEqual(["BlockRequest to one"]);
    const late = testHash("another");
    retriever.admit(late, one, "MissingDependencyRequested", { avoided: one.id });
    retriever.admit(late, other, "HasBlockMessageReceived");
    clock.now += 1001;
    retriever.requestAgain();
    expect(said()).toEqual(["HasBlockRequest to all", "BlockRequest to other"]);
  });

  test("requests again at once the blocks for which there was no peer", () => {
    const { retriever, said } = setUp();
    retriever.admit(hash, undefined, "MissingDependencyRequested");
    retriever.admit(testHash("another"), one, "HasBlockMessageReceived");
    said();
    retriever.requestUnasked();
    expect(said()).toEqual(["HasBlockRequest to all"]);
  });

  test("requests from the next peer when one does not answer, and from all when none is left", () => {
    const { retriever, said, clock } = setUp();
    retriever.admit(hash, one, "HasBlockMessageReceived");
    retriever.admit(hash, other, "HasBlockMessageReceived");
    said();
    retriever.requestAgain();
    expect(said()).toEqual([]);
    clock.now += 5001;
    retriever.requestAgain();
    expect(said()).toEqual(["BlockRequest to one"]);
    clock.now += 10_001;
    retriever.requestAgain();
    expect(said()).toEqual(["BlockRequest to other", "HasBlockRequest to all"]);
    clock.now += 20_001;
    retriever.requestAgain();
    expect(said()).toEqual(["HasBlockRequest to all"]);
  });

  test("forgets a hash that no peer has", () => {
    const { retriever, clock } = setUp({ maxAttempts: 3 });
    retriever.admit(hash, one, "HasBlockMessageReceived");
    for (let round = 0; round < 4; round++) {
      clock.now += 240_001;
      retriever.requestAgain();
    }
    expect(retriever.size).toBe(0);
  });

  test("turns to others at once when a peer gives something else", () => {
    const { retriever, said } = setUp();
    retriever.admit(hash, one, "HasBlockMessageReceived");
    retriever.admit(hash, other, "HasBlockMessageReceived");
    said();
    retriever.distrust(hash, one);
    expect(said()).toEqual(["BlockRequest to other", "HasBlockRequest to all"]);
  });

  test("is not filled by one peer, nor by all", () => {
    const { retriever } = setUp({ maxHashes: 5, maxHashesPerPeer: 3 });
    const admitted = Array.from({ length: 6 }, (_, index) =>
      retriever.admit(testHash(String(index)), one, "HashBroadcastRecieved"),
    );
    expect(admitted).toEqual([true, true, true, false, false, false]);
    expect(retriever.admit(testHash("x"), other, "HashBroadcastRecieved")).toBe(true);
    expect(retriever.admit(testHash("y"), undefined, "MissingDependencyRequested")).toBe(true);
    expect(retriever.admit(testHash("z"), undefined, "MissingDependencyRequested")).toBe(false);
    retriever.forget(testHash("0"));
    expect(retriever.admit(testHash("z"), one, "HashBroadcastRecieved")).toBe(true);
  });

  test("requests no more than there is room for, and the rest later", () => {
    const asks = { most: 3, perSecond: 1 };
    const { retriever, said, clock } = setUp({ asks, calls: { most: 1, perSecond: 0 } });
    const hashes = Array.from({ length: 6 }, (_, index) => testHash(String(index)));
    for (const one of hashes) retriever.admit(one, testPeer("one"), "MissingDependencyRequested");
    expect(said()).toEqual(Array(3).fill("BlockRequest to one"));
    retriever.forget(hashes[0]!);
    retriever.requestAgain();
    expect(said()).toEqual(["BlockRequest to one", "HasBlockRequest to all"]);
    clock.now += 1_000;
    retriever.requestAgain();
    expect(said()).toEqual(["BlockRequest to one"]);
    expect(retriever.size).toBe(5);
  });

  test("has other room for what strangers' blocks lack", () => {
    const { retriever, said } = setUp({ requestsForUnbonded: { most: 1, perSecond: 0 } });
    for (const name of ["a", "b"])
      retriever.admit(testHash(name), one, "MissingDependencyRequested", { isForUnbonded: true });
    retriever.admit(hash, other, "HasBlockMessageReceived");
    expect(said()).toEqual(["BlockRequest to one", "BlockRequest to other"]);
  });

  test("gives up a block that no peer has, and reports it; but not without peers", () => {
    const lost: Uint8Array[] = [];
    for (const peers of [new FakePeers(one), new FakePeers()]) {
      const clock = { now: 0 };
      const use = { peers, emit: () => undefined, nowMs: () => clock.now, limits: { maxAttempts: 2 } };
      const retriever = new BlockRetriever({ ...use, givenUp: (one) => lost.push(one) });
      retriever.admit(hash, undefined, "MissingDependencyRequested");
      for (let round = 0; round < 5; round++) {
        clock.now += 240_001;
        retriever.requestAgain();
      }
      expect(retriever.size).toBe(peers.peers.length === 0 ? 1 : 0);
    }
    expect(lost).toEqual([hash]);
  });

  test("makes room for a peer that wants little at the cost of one that wants much", () => {
    const { retriever } = setUp({ maxHashes: 5 });
    for (let index = 0; index < 6; index++) retriever.admit(testHash(String(index)), one, "HashBroadcastRecieved");
    expect(retriever.size).toBe(5);
    expect(retriever.admit(hash, other, "HashBroadcastRecieved")).toBe(true);
    expect([retriever.size, retriever.isRequested(testHash("0")), retriever.isRequested(hash)]).toEqual([
      5,
      false,
      true,
    ]);
  });
});
