import { fromHex, toHex } from "@vedette/crypto";
import { describe, expect, test } from "vitest";
import type { Peer } from "../Peer.js";
import { discover } from "./discover.js";
import { commonPrefix, keyAtDistance } from "./distance.js";
import { KademliaTable } from "./KademliaTable.js";

const own = "00".repeat(20);
const peer = (id: string): Peer => ({ id, host: "localhost", protocolPort: 1, discoveryPort: 2 });
const far = (index: number) => peer(`80${"00".repeat(18)}${index.toString(16).padStart(2, "0")}`);
const alive = async () => true;
const dead = async () => false;

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
    await table.enterProven(peer(own), alive);
    expect(table.peers).toEqual([]);
  });

  test("a known peer that a message names again moves to the end", async () => {
    const table = new KademliaTable(own);
    for (const index of [1, 2]) await table.enterProven(far(index), alive);
    expect(table.named(far(1))).toBe("known");
    expect(table.peers).toEqual([far(2), far(1)]);
  });

  test("a peer is only where it has proven itself, for any messages of others in its name", async () => {
    const table = new KademliaTable(own);
    await table.enterProven(far(1), alive);
    await table.enterProven(far(2), alive);
    for (const change of [{ host: "elsewhere" }, { protocolPort: 7 }, { discoveryPort: 8 }])
      expect(table.named({ ...far(1), ...change })).toBe("knownElsewhere");
    expect([table.named(far(3)), table.named(peer(own)), table.peers]).toEqual([
      "unknown",
      "unknown",
      [far(1), far(2)],
    ]);
    await table.enterProven({ ...far(1), host: "elsewhere" }, alive);
    expect(table.peers).toEqual([far(2), { ...far(1), host: "elsewhere" }]);
    expect(table.named(far(1))).toBe("knownElsewhere");
  });

  test("in a full bucket a peer that has proven itself takes the place of one of many at one address", async () => {
    const table = new KademliaTable(own);
    const at = (index: number, host: string) => ({ ...far(index), host });
    for (let index = 0; index < 3; index++) await table.enterProven(at(index, `198.51.${index}.1`), alive);
    for (let index = 3; index < 20; index++) await table.enterProven(at(index, `203.0.113.${index}`), alive);
    // One of the same owner is not put there, as long as the oldest one lives.
    await table.enterProven(at(31, "203.0.113.99"), alive);
    expect(table.has(far(31).id)).toBe(false);
    for (let index = 40; index < 60; index++) await table.enterProven(at(index, `192.0.${index}.1`), alive);
    const groups = table.peers.map(({ host }) => host.slice(0, host.lastIndexOf(".")));
    expect(table.peers).toHaveLength(20);
    expect(groups.filter((group) => group === "203.0.113").length).toBeLessThanOrEqual(2);
    for (let index = 0; index < 3; index++) expect(table.has(far(index).id)).toBe(true);
  });

  test("many at private addresses are as many as they are", async () => {
    const table = new KademliaTable(own);
    for (let index = 0; index < 20; index++) await table.enterProven({ ...far(index), host: "127.0.0.1" }, alive);
    for (const index of [20, 21]) {
      await table.enterProven({ ...far(index), host: "10.0.0.1" }, alive);
      expect(table.has(far(index).id)).toBe(true);
    }
  });

  test("in a full bucket the oldest stays if it lives, and is replaced if it does not", async () => {
    const table = new KademliaTable(own);
    for (let index = 0; index < 20; index++) await table.enterProven(far(index), alive);
    await table.enterProven(far(20), alive);
    expect(table.peers.length).toBe(20);
    expect(table.has(far(20).id)).toBe(false);
    expect(table.peers.at(-1)).toEqual(far(0));
    await table.enterProven(far(21), dead);
    expect(table.has(far(1).id)).toBe(false);
    expect(table.peers.at(-1)).toEqual(far(21));
  });

  test("a lookup gives the 20 closest, without the key itself", async () => {
    const table = new KademliaTable(own);
    for (let index = 0; index < 15; index++) await table.enterProven(far(index), alive);
    const near = Array.from({ length: 10 }, (_, index) => peer(`00${"00".repeat(18)}${(index + 64).toString(16)}`));
    for (const one of near) await table.enterProven(one, alive);
    const found = table.lookup(fromHex(far(3).id));
    expect(found.length).toBe(20);
    expect(found).not.toContainEqual(far(3));
    expect(found.slice(0, 14).every(({ id }) => id.startsWith("80"))).toBe(true);
    expect(table.lookup(Uint8Array.of(1))).toEqual([]);
  });

  test("the emptiest distances come first, the lower one first of equals", async () => {
    const table = new KademliaTable(own);
    await table.enterProven(far(1), alive);
    expect(table.sparseness().slice(0, 3)).toEqual([1, 2, 3]);
    expect(table.sparseness().at(-1)).toBe(0);
  });

  test("discovery returns strangers that peers name, and neither the own node nor known ones; it enters none", async () => {
    const table = new KademliaTable(own);
    await table.enterProven(far(1), alive);
    const asked: string[] = [];
    const lookup = async (key: Uint8Array) => {
      asked.push(toHex(key));
      return [peer(own), far(1), far(2)];
    };
    const named: Peer[] = [];
    const use = { ownId: own, table, lookup, onNamed: (one: Peer) => void named.push(one), random: () => 0 };
    await discover(use, new AbortController().signal);
    expect(asked).toEqual([`02${"00".repeat(19)}`]);
    expect([named, table.peers]).toEqual([[far(2)], [far(1)]]);
  });

  test("a peer that names many ends no round of discovery", async () => {
    const table = new KademliaTable(own);
    for (const index of [1, 2, 3, 4]) await table.enterProven(far(index), alive);
    const asked: Peer[] = [];
    const lookup = async (_: Uint8Array, of: Peer) => {
      asked.push(of);
      return Array.from({ length: 20 }, (_, index) => far(20 * asked.length + index));
    };
    await discover({ ownId: own, table, lookup, onNamed: () => {}, random: () => 0 }, new AbortController().signal);
    expect(asked).toHaveLength(3);
  });
});
