import { describe, expect, test } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testHash } from "../testing/testBlock.js";
import { BlockRetriever, type RetrieverLimits } from "./BlockRetriever.js";

function setUp(limits: Partial<RetrieverLimits> = {}) {
  const peers = new FakePeers();
  const events: SyncEvent[] = [];
  const clock = { now: 0 };
  const emit = (event: SyncEvent) => events.push(event);
  const retriever = new BlockRetriever({ peers, emit, nowMs: () => clock.now, limits });
  const said = () => peers.take().map(({ to, message }) => `${message.type} to ${to}`);
  return { retriever, events, clock, said };
}

const hash = testHash("a block");
const one = testPeer("one");
const other = testPeer("other");

describe("the retriever of blocks", () => {
  test("asks the peer that has a block, at once", () => {
    const { retriever, said, events } = setUp();
    retriever.admit(hash, one, "HasBlockMessageReceived");
    expect(said()).toEqual(["BlockRequest to one"]);
    expect(events).toEqual([{ type: "hashRequested", hash, reason: "HasBlockMessageReceived" }]);
  });

  test("asks all who has it where it knows nobody, then the first that answers", () => {
    const { retriever, said } = setUp();
    retriever.admit(hash, undefined, "MissingDependencyRequested");
    expect(said()).toEqual(["HasBlockRequest to all"]);
    retriever.admit(hash, one, "HasBlockMessageReceived");
    expect(said()).toEqual(["BlockRequest to one"]);
    retriever.admit(hash, one, "HasBlockMessageReceived");
    retriever.admit(hash, other, "HasBlockMessageReceived");
    expect(said()).toEqual([]);
  });

  test("asks a peer that is to be avoided only when nobody else has come up", () => {
    const { retriever, said, clock } = setUp();
    retriever.admit(hash, one, "MissingDependencyRequested", one.id);
    expect(said()).toEqual(["HasBlockRequest to all"]);
    clock.now += 1000;
    retriever.requestAgain();
    expect(said()).toEqual([]);
    clock.now += 1;
    retriever.requestAgain();
    retriever.requestAgain();
    expect(said()).toEqual(["BlockRequest to one"]);
    const late = testHash("another");
    retriever.admit(late, one, "MissingDependencyRequested", one.id);
    retriever.admit(late, other, "HasBlockMessageReceived");
    clock.now += 1001;
    retriever.requestAgain();
    expect(said()).toEqual(["HasBlockRequest to all", "BlockRequest to other"]);
  });

  test("calls again at once for what nobody could be asked for", () => {
    const { retriever, said } = setUp();
    retriever.admit(hash, undefined, "MissingDependencyRequested");
    retriever.admit(testHash("another"), one, "HasBlockMessageReceived");
    said();
    retriever.requestUnasked();
    expect(said()).toEqual(["HasBlockRequest to all"]);
  });

  test("asks the next peer when one does not answer, and all when nobody is left", () => {
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

  test("forgets a hash that nobody has", () => {
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
});
