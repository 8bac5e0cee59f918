import { setImmediate } from "node:timers/promises";
import type { Peer } from "@vedette/network";
import { hashKey, rnode, type StoreItems } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import type { StateImportPort } from "../ports/StatePort.js";
import { SyncError } from "../SyncError.js";
import type { SyncEvent } from "../SyncEvent.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testHash } from "../testing/testBlock.js";
import { fetchHorizon } from "./f1r3node/fetchHorizon.js";
import { fetchState, type ReceivedItems } from "./fetchState.js";
import { Mailbox } from "./Mailbox.js";

const [bootstrap, one, two] = [testPeer("bootstrap"), testPeer("one"), testPeer("two")];
const [root, other] = [testHash("root"), testHash("other")];

/** A joiner with states of one page each; a page is right if it has a node. */
class Setting {
  readonly peers: FakePeers;
  readonly received = new Mailbox<ReceivedItems>(10);
  readonly events: SyncEvent[] = [];
  readonly held = new Set<string>();
  readonly late: { readonly ms: number; readonly action: () => void }[] = [];
  readonly ended = new AbortController();
  readonly takes: number[] = [];
  readonly use;

  constructor(...others: readonly Peer[]) {
    this.peers = new FakePeers(bootstrap, ...others);
    const state: StateImportPort = {
      hasRoot: async (hash) => this.held.has(hashKey(hash)),
      missing: async (hash) => (this.held.has(hashKey(hash)) ? [] : [hash]),
      importPage: async (startPath, take, page) => {
        this.takes.push(take);
        if (page.historyItems.length === 0) throw new TypeError("leaves are lacking");
        this.held.add(hashKey(startPath[0]!.hash));
        return { nextPath: undefined, isNew: true };
      },
      recordRoot: async () => {},
    };
    const timers = {
      after: (ms: number, action: () => void) => {
        const timer = { ms, action };
        this.late.push(timer);
        return () => void this.late.splice(this.late.indexOf(timer), 1);
      },
      yieldNow: async () => {},
    };
    const emit = (event: SyncEvent) => void this.events.push(event);
    this.use = {
      peers: this.peers,
      bootstrap,
      state,
      received: this.received,
      emit,
      timers,
      packetForm: rnode.packetForm,
    };
  }

  /** Returns the peers with open requests. */
  async asked(): Promise<string[]> {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    return this.peers.take().map(({ to }) => to);
  }

  give(peer: Peer, isRight: boolean, hash = root): boolean {
    const startPath = [{ hash, index: undefined }];
    const historyItems = isRight ? [{ key: hash, value: hash }] : [];
    const items: StoreItems = { startPath, lastPath: startPath, historyItems, dataItems: [] };
    return this.received.put({ items, peer });
  }

  /** Lets the time go by after which something happens. */
  wait(ms: number): void {
    this.late.find((timer) => timer.ms === ms)!.action();
  }

  kinds(): string[] {
    return this.events.map(({ type }) => type).filter((type) => type !== "stateRequested");
  }
}

describe("a state", () => {
  test("is requested from another peer if the bootstrap does not send it whole, and from that one from then on", async () => {
    const setting = new Setting(one, two);
    const fetched = fetchState(root, setting.use, setting.ended.signal);
    expect(await setting.asked()).toEqual(["bootstrap"]);
    setting.give(bootstrap, false);
    expect(await setting.asked()).toEqual(["one"]);
    setting.give(one, false);
    expect(await setting.asked()).toEqual(["two"]);
    expect(setting.give(one, true)).toBe(false);
    setting.give(two, true);
    await fetched;
    expect(setting.events.filter(({ type }) => type === "stateSourceChanged")).toEqual([
      { type: "stateSourceChanged", from: bootstrap, to: one },
      { type: "stateSourceChanged", from: one, to: two },
    ]);
  });

  test("is requested from the bootstrap again if there is no other peer, until it has been wrong ten times", async () => {
    const setting = new Setting(one);
    const failure = fetchState(root, setting.use, setting.ended.signal).catch((error: unknown) => error);
    await setting.asked();
    setting.give(bootstrap, false);
    expect(await setting.asked()).toEqual(["one"]);
    setting.give(one, false);
    for (let times = 1; times < 10; times++) {
      expect(await setting.asked()).toEqual(["bootstrap"]);
      setting.give(bootstrap, false);
    }
    expect(await failure).toEqual(new SyncError({ code: "stateUnobtainable", reason: "leaves are lacking" }));
  });

  test("whose pages bring nothing new and have no end is looked at again after ten of them", async () => {
    const setting = new Setting();
    let pages = 0;
    const pathOf = (page: number) => [{ hash: root, index: page === 0 ? undefined : page % 100 }];
    const looks: number[] = [];
    const state: StateImportPort = {
      ...setting.use.state,
      missing: async () => (looks.push(pages) === 1 ? [root] : []),
      importPage: async () => ({ nextPath: pathOf(++pages), isNew: pages === 3 }),
    };
    const fetched = fetchState(root, { ...setting.use, state }, setting.ended.signal);
    const ended = fetched.then(() => true);
    while (!(await Promise.race([ended, setting.asked()]).then((over) => over === true))) {
      const startPath = pathOf(pages);
      const items = { startPath, lastPath: startPath, historyItems: [], dataItems: [] };
      setting.received.put({ items, peer: bootstrap });
      if (pages > 50) throw new Error("pages without end were requested");
    }
    expect(looks).toEqual([0, 13]);
  });

  test("with a leaf that is absent beside many nodes that are here is fetched whole", async () => {
    const setting = new Setting();
    let [pages, requested] = [0, 0];
    const pathOf = (page: number) => [{ hash: root, index: page === 0 ? undefined : page % 256 }];
    const state: StateImportPort = {
      ...setting.use.state,
      missing: async () => {
        pages = 0;
        return setting.held.size > 0 ? [] : [root];
      },
      importPage: async () => {
        pages += 1;
        if (pages < 200) return { nextPath: pathOf(pages), isNew: false };
        setting.held.add(hashKey(root));
        return { nextPath: undefined, isNew: true };
      },
    };
    const fetched = fetchState(root, { ...setting.use, state }, setting.ended.signal);
    const ended = fetched.then(() => true);
    while (!(await Promise.race([ended, setting.asked()]).then((over) => over === true))) {
      const startPath = pathOf(pages);
      const historyItems = [{ key: root, value: root }];
      setting.received.put({ items: { startPath, lastPath: startPath, historyItems, dataItems: [] }, peer: bootstrap });
      requested += 1;
      if (requested > 400) throw new Error("the same pages were requested again and again");
    }
    expect(requested).toBe(10 + 100 + 200);
  });

  test("that no peer gives whole is given up, though each sends what is here already", async () => {
    const setting = new Setting();
    const state: StateImportPort = {
      ...setting.use.state,
      missing: async () => [root],
      importPage: async () => ({ nextPath: undefined, isNew: false }),
    };
    const failure = fetchState(root, { ...setting.use, state }, setting.ended.signal).catch((error: unknown) => error);
    for (let round = 0; round < 5; round += 1) {
      expect(await setting.asked()).toEqual(["bootstrap"]);
      setting.give(bootstrap, true);
    }
    expect(await setting.asked()).toEqual([]);
    const reason = "peers leave out parts of it";
    expect(await failure).toEqual(new SyncError({ code: "stateUnobtainable", reason }));
  });

  test("is requested from all when nothing comes", async () => {
    const setting = new Setting(one);
    const fetched = fetchState(root, setting.use, setting.ended.signal);
    await setting.asked();
    setting.wait(2000);
    expect(await setting.asked()).toEqual(["bootstrap", "one"]);
    setting.give(one, true);
    await fetched;
  });
});

describe("earlier states of a joiner of f1r3node's networks", () => {
  test("are fetched in pages of 1024, those that are not here", async () => {
    const setting = new Setting();
    setting.held.add(hashKey(other));
    const fetched = fetchHorizon([other, root], setting.use, setting.ended.signal);
    expect(await setting.asked()).toEqual(["bootstrap"]);
    setting.give(bootstrap, true);
    await fetched;
    expect(setting.takes).toEqual([1024]);
    expect(setting.kinds()).toEqual(["horizonWanted", "statePageImported"]);
    expect(setting.events.find(({ type }) => type === "horizonWanted")).toMatchObject({ states: 1 });
    await fetchHorizon([other, root], setting.use, setting.ended.signal);
    expect(setting.kinds().length).toBe(2);
  });

  test("are left where no peer gives them in time; the others are still fetched", async () => {
    const setting = new Setting();
    const fetched = fetchHorizon([root, other], setting.use, setting.ended.signal);
    await setting.asked();
    setting.wait(60_000);
    expect(await setting.asked()).toEqual(["bootstrap"]);
    setting.give(bootstrap, true, other);
    await fetched;
    expect(setting.events.at(-1)).toEqual({
      type: "horizonIncomplete",
      held: 1,
      wanted: 2,
      reason: "The state of the approved block cannot be fetched: no peer gives it in time",
    });
    expect(setting.late).toEqual([]);
  });

  test("are left after ten minutes in all", async () => {
    const setting = new Setting();
    const fetched = fetchHorizon([root, other], setting.use, setting.ended.signal);
    await setting.asked();
    setting.wait(600_000);
    await fetched;
    expect(setting.events.at(-1)).toMatchObject({ type: "horizonIncomplete", held: 0, wanted: 2 });
  });

  test("are not waited for by a node that ends", async () => {
    const setting = new Setting();
    const fetched = fetchHorizon([root], setting.use, setting.ended.signal);
    await setting.asked();
    setting.ended.abort();
    await expect(fetched).rejects.toBe(setting.ended.signal.reason);
  });
});
