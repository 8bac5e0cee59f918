import { f1r3node, rnode, type UpkeepFacts } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import type { NetworkEvent } from "../NetworkEvent.js";
import type { Peer } from "../Peer.js";
import { Connections } from "./Connections.js";
import { Heartbeats } from "./Heartbeats.js";

const peerOf = (id: string): Peer => ({ id, host: "192.0.2.1", protocolPort: 1, discoveryPort: 1 });

/** Peers, of which some do not answer. */
class Setting {
  readonly events: NetworkEvent[] = [];
  readonly dropped: string[] = [];
  readonly silent = new Set<string>();
  readonly connections = new Connections((event) => this.events.push(event), 100);
  readonly ended = new AbortController();
  readonly heartbeats: Heartbeats;
  /** Questions under way, and the most that ever were. */
  open = 0;
  maxOpen = 0;

  constructor(facts: UpkeepFacts, ...ids: readonly string[]) {
    for (const id of ids) this.connections.add(peerOf(id));
    this.heartbeats = new Heartbeats({
      ...{ connections: this.connections, facts },
      send: (peer) => this.#send(peer),
      emit: (event) => this.events.push(event),
      onDropped: ({ id }) => this.dropped.push(id),
    });
  }

  get ids(): string[] {
    return this.connections.peers.map(({ id }) => id);
  }

  round(batchSize = 100): Promise<void> {
    return this.heartbeats.round(batchSize, this.ended.signal);
  }

  async #send({ id }: Peer): Promise<void> {
    this.open += 1;
    this.maxOpen = Math.max(this.maxOpen, this.open);
    await Promise.resolve();
    this.open -= 1;
    if (this.silent.has(id)) throw new TypeError("silent");
  }
}

describe("heartbeats of rnode's networks", () => {
  test("are sent one after the other, and one without an answer ends the connection", async () => {
    const setting = new Setting(rnode.transport.upkeep, "a", "b", "c");
    setting.silent.add("b");
    await setting.round();
    expect(setting.maxOpen).toBe(1);
    expect(setting.ids).toEqual(["a", "c"]);
    expect(setting.dropped).toEqual(["b"]);
  });
});

describe("heartbeats of f1r3node's networks", () => {
  test("are sent together, and the third in a row without an answer ends the connection", async () => {
    const setting = new Setting(f1r3node.transport.upkeep, "a", "b", "c");
    setting.silent.add("b");
    await setting.round();
    await setting.round();
    expect(setting.maxOpen).toBe(3);
    expect(setting.ids.sort()).toEqual(["a", "b", "c"]);
    expect(setting.dropped).toEqual([]);
    await setting.round();
    expect(setting.ids.sort()).toEqual(["a", "c"]);
    expect(setting.dropped).toEqual(["b"]);
  });

  test("begin to count anew with an answer, and with a new connection", async () => {
    const setting = new Setting(f1r3node.transport.upkeep, "a", "b");
    for (const silent of [true, true, false, true, true]) {
      if (silent) setting.silent.add("b");
      else setting.silent.clear();
      await setting.round();
    }
    expect(setting.ids).toContain("b");
    setting.connections.remove("b");
    await setting.round();
    setting.connections.add(peerOf("b"));
    await setting.round();
    await setting.round();
    expect(setting.ids).toContain("b");
    await setting.round();
    expect(setting.ids).toEqual(["a"]);
  });

  test("go to the peers with the oldest sign of life, to as many as are configured", async () => {
    const setting = new Setting(f1r3node.transport.upkeep, "a", "b", "c");
    await setting.round(2);
    expect(setting.ids).toEqual(["c", "a", "b"]);
  });

  test("that the end of the node aborts drop no peer", async () => {
    const setting = new Setting({ ...f1r3node.transport.upkeep, maxMissedBeats: 1 }, "a");
    setting.silent.add("a");
    const round = setting.round();
    setting.ended.abort();
    await round;
    expect(setting.ids).toEqual(["a"]);
  });
});
