import { fromHex, toHex } from "@vedette/crypto";
import { describe, expect, test } from "vitest";
import type { Peer } from "../Peer.js";
import { discover } from "./discover.js";
import { commonPrefix, keyAtDistance } from "./distance.js";
import { KademliaTable } from "./KademliaTable.js";

const own = "00".repeat(20);
const peer = (id: string): Peer => ({ id, host: "localhost", protocolPort: 1, discoveryPort: 2 });
const far = (index: number) => peer(`80${"00".repeat(18)}${index.toString(16).padStart(2, "0")}`);
const alive = { ping: async () => true };
const dead = { ping: async () => false };

describe("distance", () => {
  test("is the number of leading bits in common", () => {
    expect(commonPrefix(fromHex(own), fromHex(own))).toBe(160);
    expect(commonPrefix(fromHex(own), fromHex(`80${"00".repeat(19)}`))).toBe(0);
    expect(commonPrefix(fromHex(own), fromHex(`0001${"00".repeat(18)}`))).toBe(15);
    expect(commonPrefix(fromHex(own), fromHex("00"))).toBeUndefined();
  });

  test("a key at a distance has the bit flipped that is counted from the least significant", () => {
    expect(toHex(keyAtDistance(fromHex(own), 0))).toBe(`01${"00".repeat(19)}`);
    expect(toHex(keyAtDistance(fromHex(own), 15))).toBe(`0080${"00".repeat(18)}`);
  });
});

describe("the table of peers", () => {
  test("never holds its own node", async () => {
    const table = new KademliaTable(own);
    await table.updateLastSeen(peer(own), alive);
    expect(table.peers).toEqual([]);
  });

  test("a peer heard of again stands at the end", async () => {
    const table = new KademliaTable(own);
    for (const index of [1, 2, 1]) await table.updateLastSeen(far(index), alive);
    expect(table.peers).toEqual([far(2), far(1)]);
  });

  test("a peer is only where it has proven itself, whatever others say in its name", async () => {
    const table = new KademliaTable(own);
    await table.updateLastSeen(far(1), alive);
    await table.updateLastSeen(far(2), alive);
    const moved: Peer[] = [];
    const onMoved = (peer: Peer) => void moved.push(peer);
    for (const change of [{ host: "elsewhere" }, { protocolPort: 7 }, { discoveryPort: 8 }]) {
      await table.updateLastSeen({ ...far(1), ...change }, { ...alive, onMoved });
      expect(table.peers).toEqual([far(1), far(2)]);
      expect(moved.pop()).toEqual({ ...far(1), ...change });
    }
    expect(table.enterProven({ ...far(1), host: "elsewhere" })).toBe(true);
    expect(table.peers).toEqual([far(2), { ...far(1), host: "elsewhere" }]);
    await table.updateLastSeen(far(1), { ...alive, onMoved });
    expect(table.peers[1]).toMatchObject({ host: "elsewhere" });
  });

  test("in a full bucket a peer that has proven itself takes the place of one of many at one address", async () => {
    const table = new KademliaTable(own);
    const at = (index: number, host: string) => ({ ...far(index), host });
    for (let index = 0; index < 3; index++) await table.updateLastSeen(at(index, `198.51.${index}.1`), alive);
    for (let index = 3; index < 20; index++) await table.updateLastSeen(at(index, `203.0.113.${index}`), alive);
    // What is only heard of, and who is of the same owner, is not put there.
    await table.updateLastSeen(at(30, "192.0.2.1"), alive);
    expect(table.has(far(30).id)).toBe(false);
    expect(table.enterProven(at(31, "203.0.113.99"))).toBe(false);
    for (let index = 40; index < 60; index++) table.enterProven(at(index, `192.0.${index}.1`));
    const groups = table.peers.map(({ host }) => host.slice(0, host.lastIndexOf(".")));
    expect(table.peers).toHaveLength(20);
    expect(groups.filter((group) => group === "203.0.113").length).toBeLessThanOrEqual(2);
    for (let index = 0; index < 3; index++) expect(table.has(far(index).id)).toBe(true);
  });

  test("many at private addresses are as many as they are", () => {
    const table = new KademliaTable(own);
    for (let index = 0; index < 20; index++) expect(table.enterProven({ ...far(index), host: "127.0.0.1" })).toBe(true);
    expect(table.enterProven({ ...far(20), host: "10.0.0.1" })).toBe(true);
    expect(table.enterProven({ ...far(21), host: "10.0.0.1" })).toBe(true);
  });

  test("in a full bucket the oldest stays if it lives, and is replaced if it does not", async () => {
    const table = new KademliaTable(own);
    for (let index = 0; index < 20; index++) await table.updateLastSeen(far(index), alive);
    await table.updateLastSeen(far(20), alive);
    expect(table.peers.length).toBe(20);
    expect(table.has(far(20).id)).toBe(false);
    expect(table.peers.at(-1)).toEqual(far(0));
    await table.updateLastSeen(far(21), dead);
    expect(table.has(far(1).id)).toBe(false);
    expect(table.peers.at(-1)).toEqual(far(21));
  });

  test("a lookup gives the 20 closest, without the key itself", async () => {
    const table = new KademliaTable(own);
    for (let index = 0; index < 15; index++) await table.updateLastSeen(far(index), alive);
    const near = Array.from({ length: 10 }, (_, index) => peer(`00${"00".repeat(18)}${(index + 64).toString(16)}`));
    for (const one of near) await table.updateLastSeen(one, alive);
    const found = table.lookup(fromHex(far(3).id));
    expect(found.length).toBe(20);
    expect(found).not.toContainEqual(far(3));
    expect(found.slice(0, 14).every(({ id }) => id.startsWith("80"))).toBe(true);
    expect(table.lookup(Uint8Array.of(1))).toEqual([]);
  });

  test("the emptiest distances come first, the lower one first of equals", async () => {
    const table = new KademliaTable(own);
    await table.updateLastSeen(far(1), alive);
    expect(table.sparseness().slice(0, 3)).toEqual([1, 2, 3]);
    expect(table.sparseness().at(-1)).toBe(0);
  });

  test("discovery enters strangers that peers tell, and neither the own node nor known ones", async () => {
    const table = new KademliaTable(own);
    await table.updateLastSeen(far(1), alive);
    const asked: string[] = [];
    const lookup = async (key: Uint8Array) => {
      asked.push(toHex(key));
      return [peer(own), far(1), far(2)];
    };
    const use = { ownId: own, table, lookup, ...alive, random: () => 0 };
    await discover(use, new AbortController().signal);
    expect(asked).toEqual([`02${"00".repeat(19)}`]);
    expect(table.peers).toEqual([far(1), far(2)]);
  });
});
