import type { Peer, StreamContent } from "@vedette/network";
import { decodePacket, f1r3node, type StoreItems, type StoreItemsRequest } from "@vedette/protocol";
import { expect, test } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testHash } from "../testing/testBlock.js";
import { StoreItemsServer } from "./StoreItemsServer.js";

const { packetForm } = f1r3node;
const [first, second] = [testPeer("first"), testPeer("second")];

/** Peers that take what is streamed to them one after the other, as over a connection. */
class SlowPeers extends FakePeers {
  readonly queues = new Map<string, StreamContent[]>();
  room = 100;

  override stream(peer: Peer, _typeId: string, content: StreamContent): boolean {
    const queue = this.queues.get(peer.host) ?? [];
    this.queues.set(peer.host, queue);
    if (queue.length >= this.room) return false;
    queue.push(content);
    return true;
  }

  /** Takes the next answer for a peer, and returns the name of its page. */
  async takeNext(peer: Peer): Promise<string | undefined> {
    const content = await this.queues.get(peer.host)!.shift()!();
    if (content === undefined) return undefined;
    const { message } = decodePacket("StoreItemsMessage", content, packetForm);
    return String((message as StoreItems).startPath[0]!.hash);
  }
}

function serving() {
  const peers = new SlowPeers(first, second);
  const events: SyncEvent[] = [];
  let reading = 0;
  let maxReading = 0;
  const server = new StoreItemsServer({
    ...{ peers, packetForm, emit: (event) => events.push(event) },
    state: {
      exportPage: async (startPath) => {
        reading += 1;
        maxReading = Math.max(maxReading, reading);
        await Promise.resolve();
        reading -= 1;
        return { startPath, lastPath: startPath, historyItems: [], dataItems: [] };
      },
    },
  });
  const refusals = () => events.flatMap((event) => (event.type === "storeItemsRefused" ? [event.reason] : []));
  return { peers, server, refusals, maxReading: () => maxReading };
}

const pageOf = (name: string, take = 750): StoreItemsRequest => ({
  startPath: [{ hash: testHash(name), index: undefined }],
  skip: 0,
  take,
});
const named = (name: string) => String(testHash(name));

test("all pages that a peer requests at once are answered, in their order, and peers take turns", async () => {
  const { peers, server, refusals, maxReading } = serving();
  const names = Array.from({ length: 32 }, (_, at) => `page ${at}`);
  for (const name of names) server.request(pageOf(name), first);
  server.request(pageOf("other"), second);
  const answers = [peers.takeNext(first), peers.takeNext(second)];
  expect(await Promise.all(answers)).toEqual([named("page 0"), named("other")]);
  for (const name of names.slice(1)) expect(await peers.takeNext(first)).toBe(named(name));
  expect([...peers.queues.values()].flat()).toEqual([]);
  expect(maxReading()).toBe(1);
  expect(refusals()).toEqual([]);
});

test("a page that waits is not queued again, and is when it was sent", async () => {
  const { peers, server } = serving();
  const queued = () => peers.queues.get(first.host)!.length;
  server.request(pageOf("page"), first);
  server.request(pageOf("page"), first);
  expect(queued()).toBe(1);
  server.request(pageOf("page", 1024), first);
  expect(queued()).toBe(2);
  await peers.takeNext(first);
  server.request(pageOf("page"), first);
  expect(queued()).toBe(2);
});

test("a peer's excess requests are refused, and those of others are not", async () => {
  const { peers, server, refusals } = serving();
  for (let at = 0; at < 10_000; at += 1) server.request(pageOf(`page ${at}`), first);
  expect(peers.queues.get(first.host)!.length).toBe(64);
  expect(new Set(refusals())).toEqual(new Set(["too many requests"]));
  expect(refusals().length).toBe(10_000 - 64);
  server.request(pageOf("page"), second);
  expect(peers.queues.get(second.host)!.length).toBe(1);
  server.request({ ...pageOf("page"), startPath: [{ hash: new Uint8Array(100_000), index: undefined }] }, second);
  expect(refusals().at(-1)).toBe("the path is too long");
  peers.room = 1;
  server.request(pageOf("further"), second);
  expect(refusals().at(-1)).toBe("too many messages wait for this peer");
  for (let at = 0; at < 64; at += 1) await peers.takeNext(first);
  server.request(pageOf("again"), first);
  expect(peers.queues.get(first.host)!.length).toBe(1);
});
