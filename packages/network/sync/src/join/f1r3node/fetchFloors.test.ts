import { setImmediate } from "node:timers/promises";
import type { DerivedFloor, F1r3nodeCheck } from "@vedette/chain";
import { type FloorCacheResponse, f1r3node, hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import type { SyncEvent } from "../../SyncEvent.js";
import { FakePeers, testPeer } from "../../testing/FakePeers.js";
import { testBlock, testHash } from "../../testing/testBlock.js";
import type { ReceivedAnswer } from "../JoinRules.js";
import { Mailbox } from "../Mailbox.js";
import { fetchFloors } from "./fetchFloors.js";

const [bootstrap, one, two] = [testPeer("bootstrap"), testPeer("one"), testPeer("two")];
const genesis = testBlock(0, []);
const first = testBlock(1, [genesis]);
const approved = { candidate: { block: first, requiredSignatures: 0 }, signatures: [] };
const blocks = [{ hash: genesis.hash, isInvalid: false }];
const [right, wrong] = [testHash("right"), testHash("wrong")];
const seed = { floorHash: right, floorNumber: 0n, frontierHash: right, frontierNumber: 0n };

/** A joiner that finds only one floor right. */
class Setting {
  readonly peers = new FakePeers(bootstrap, one, two);
  readonly received = new Mailbox<ReceivedAnswer<FloorCacheResponse>>(1);
  readonly events: SyncEvent[] = [];
  readonly checked: ReadonlyMap<string, DerivedFloor>[] = [];
  readonly late: (() => void)[] = [];
  readonly ended = new AbortController();

  constructor() {
    this.peers.packetForm = f1r3node.packetForm;
  }

  fetch(given: typeof seed | undefined = seed) {
    const { peers, received } = this;
    const port = {
      find: () => undefined,
      anchor: () => undefined,
      seedOf: async () => undefined,
      check: async (_approved: unknown, _blocks: unknown, floors: ReadonlyMap<string, DerivedFloor>) =>
        this.#check(floors),
    };
    const timers = {
      after: (_ms: number, action: () => void) => {
        this.late.push(action);
        return () => void this.late.splice(this.late.indexOf(action), 1);
      },
      yieldNow: async () => {},
    };
    const use = { ...{ peers, bootstrap, received, port, timers, dialect: f1r3node }, emit: this.#emit };
    return fetchFloors({ approved, seed: given, blocks }, use, this.ended.signal);
  }

  /** Returns the peers with open requests, and the number of blocks. */
  async asked(): Promise<string[]> {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    return this.peers.take().map(({ to, message }) => {
      if (message.type !== "FloorCacheRequest") throw new TypeError(message.type);
      return `${to} ${message.message.hashes.length}`;
    });
  }

  answer(from: typeof one, floor: Uint8Array, hashes: readonly Uint8Array[] = [first.hash]): boolean {
    const entries = hashes.map((blockHash) => ({ blockHash, floorHash: floor, frontierHash: floor }));
    return this.received.put({ message: { entries }, peer: from });
  }

  readonly #emit = (event: SyncEvent) => void this.events.push(event);

  #check(floors: ReadonlyMap<string, DerivedFloor>): F1r3nodeCheck {
    this.checked.push(floors);
    const given = floors.get(hashKey(first.hash));
    const isRight = given === undefined || Buffer.compare(given.floor, right) === 0;
    const known = { hash: first.hash, floor: right, frontier: right };
    return { floors: given === undefined ? [] : [known], contradicted: isRight ? [] : [first.hash], trusted: 0 };
  }
}

describe("floors of the blocks that a node begins with", () => {
  test("are those of the bootstrap, if the blocks do not contradict it", async () => {
    const setting = new Setting();
    const fetched = setting.fetch();
    expect(await setting.asked()).toEqual(["bootstrap 2"]);
    expect(setting.answer(one, right)).toBe(false);
    setting.answer(bootstrap, right);
    expect(await fetched).toEqual([{ hash: first.hash, floor: right, frontier: right }]);
    expect(setting.events).toEqual([{ type: "floorsTaken", peer: bootstrap, floors: 1, trusted: 0 }]);
    expect(setting.received.isOpen).toBe(false);
  });

  test("are requested from another peer if they are contradicted", async () => {
    const setting = new Setting();
    const fetched = setting.fetch();
    await setting.asked();
    setting.answer(bootstrap, wrong);
    expect(await setting.asked()).toEqual(["one 2"]);
    setting.answer(one, right);
    expect((await fetched).length).toBe(1);
    expect(setting.events.map(({ type }) => type)).toEqual(["floorsRefused", "floorsTaken"]);
  });

  test.each([
    ["speaks of another block", [first.hash, testHash("other")]],
    ["repeats its statement about a block", [first.hash, first.hash, first.hash]],
  ])("are requested from another peer if one %s", async (_, hashes) => {
    const setting = new Setting();
    const fetched = setting.fetch();
    await setting.asked();
    setting.answer(bootstrap, right, hashes);
    expect(await setting.asked()).toEqual(["one 2"]);
    setting.answer(one, right);
    await fetched;
    expect(setting.events[0]).toMatchObject({ type: "floorsUnanswered", peer: bootstrap });
  });

  test("are the seed alone where no peer answers in time, and none where that is false", async () => {
    for (const [floor, known] of [
      [right, 1],
      [wrong, 0],
    ] as const) {
      const setting = new Setting();
      const fetched = setting.fetch({ ...seed, floorHash: floor, frontierHash: floor });
      for (const peer of ["bootstrap", "one", "two"]) {
        expect(await setting.asked()).toEqual([`${peer} 2`]);
        setting.late.at(-1)!();
      }
      expect((await fetched).length).toBe(known);
      expect(setting.events.filter(({ type }) => type === "floorsUnanswered").length).toBe(3);
      expect(setting.events.filter(({ type }) => type === "floorsRefused").length).toBe(1 - known);
      expect(setting.events.at(-1)).toMatchObject({ type: "floorsTaken", peer: undefined });
    }
  });

  test("are not waited for by a node that ends", async () => {
    const setting = new Setting();
    const fetched = setting.fetch();
    await setting.asked();
    setting.ended.abort();
    await expect(fetched).rejects.toBe(setting.ended.signal.reason);
  });
});
