import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { blake2b256, toHex } from "@vedette/crypto";
import { type OfflineData, openReadOnly } from "@vedette/node/data";
import { encodeBlock, f1r3node, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { fastFolder, replayChain } from "@vedette/testing";
import {
  childrenOf,
  f1r3nodeSpace,
  findMissing,
  proveKey,
  rnodeSpace,
  StateStore,
  verifyProof,
} from "@vedette/tuplespace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chunkBytes, compressChunk, type Entry, entriesOf, openChunk } from "./chunk/chunkFormat.js";
import { createSnapshot } from "./createSnapshot.js";
import { findSnapshot } from "./findSnapshots.js";
import { readManifest, writeManifest } from "./manifest/Manifest.js";
import { chunkName } from "./manifest/names.js";
import { restoreSnapshot } from "./restoreSnapshot.js";
import { MemoryPlace } from "./testing/MemoryPlace.js";
import { verifySnapshot } from "./verifySnapshot.js";

const folder = mkdtempSync(join(fastFolder, "vedette-newer-snapshot-"));
const { signal } = new AbortController();
const report = () => {};
const f1r3nodeSetup = { dialect: f1r3node, form: f1r3nodeSpace };

describe(`a snapshot of a chain of the newer node`, () => {
  let data: OfflineData;
  const place = new MemoryPlace();
  beforeAll(async () => {
    await replayChain("trio-r", folder);
    data = await openReadOnly(folder);
    await createSnapshot({ source: data, place, nowMs: () => 0, ruleSet: "one", report, signal });
  });
  afterAll(async () => {
    await data?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Restores into memory. */
  async function restored(from: MemoryPlace, how: Partial<typeof f1r3nodeSetup & { ruleSet: string }> = {}) {
    const manifest = await findSnapshot(from, undefined);
    const [chain, state] = [new MemoryStore(tablesOf("chain")), new MemoryStore(tablesOf("state"))];
    const progress = { has: () => false, add: () => {} };
    const block = await restoreSnapshot({
      ...{ place: from, manifest, trusted: manifest.block.hash, shard: "root", ...f1r3nodeSetup, ...how },
      ...{ chain, state, progress, report, signal },
    });
    return { block, chain, state };
  }

  test("names the dialect and the rules, is whole, and gives back the block, its state and its proofs", async () => {
    const manifest = await findSnapshot(place, undefined);
    expect(manifest).toMatchObject({ dialect: "f1r3node", ruleSet: "one", block: { number: 7 } });
    const { nodes, leaves } = await verifySnapshot(place, manifest, { ...f1r3nodeSetup, report, signal });
    expect([nodes > 100, leaves > 1_000]).toEqual([true, true]);
    const { block, chain, state } = await restored(place);
    const blocks = new BlockTable(chain, { form: f1r3node.blockForm });
    expect(toHex(encodeBlock(blocks.find(block.hash)!))).toBe(toHex(encodeBlock(data.blocks.find(block.hash)!)));
    expect(new Dag(chain).lastFinalized()?.number).toBe(7n);
    const root = block.body.state.postStateHash;
    const [ours, theirs] = [
      new StateStore(state, { form: f1r3nodeSpace }),
      new StateStore(data.state, { form: f1r3nodeSpace }),
    ];
    expect(findMissing(ours, root).nodes).toEqual([]);
    const keys = [0, 1, 2].map((kind) => Uint8Array.of(kind, ...block.hash));
    for (const key of [...keys, ...someKeys(ours, root)]) {
      expect(proveKey(ours, root, key)).toEqual(proveKey(theirs, root, key));
      expect(verifyProof(root, key, proveKey(ours, root, key), f1r3nodeSpace)).toEqual(
        proveKey(theirs, root, key).leaf,
      );
    }
  });

  test("is refused in words where the other dialect is wanted, before anything is written", async () => {
    const words = "is of a network of the dialect 'f1r3node', and 'rnode' is wanted; nothing was written";
    await expect(restored(place, { dialect: rnode, form: rnodeSpace })).rejects.toThrow(words);
    const manifest = await findSnapshot(place, undefined);
    const other = { dialect: rnode, form: rnodeSpace, report, signal };
    await expect(verifySnapshot(place, manifest, other)).rejects.toThrow(words);
  });

  test("is refused in words where another rule set is configured, before anything is written", async () => {
    await expect(restored(place, { ruleSet: "other" })).rejects.toThrow(
      "is of a network of the rule set 'one', but 'other' is configured; check casper.rule-set; nothing was written",
    );
    expect((await restored(place, { ruleSet: "one" })).block.number).toBe(7n);
  });

  test("with a leaf that passes for another kind is refused, verified or restored", async () => {
    const forged = await withLeaves(place, (leaf) => Uint8Array.of((leaf[0]! + 1) % 3, ...leaf.subarray(1)));
    const manifest = await findSnapshot(forged, undefined);
    await expect(verifySnapshot(forged, manifest, { ...f1r3nodeSetup, report, signal })).rejects.toThrow(
      "a leaf is of another kind than its place",
    );
    await expect(restored(forged)).rejects.toThrow(/leaf \w+ is not in it/);
  });
});

/** Keys of leaves right below the nodes next to the root. */
function someKeys(states: StateStore, root: Uint8Array): Uint8Array[] {
  const keys: Uint8Array[] = [];
  const pending = [{ hash: root, path: [] as number[] }];
  for (let place = pending.pop(); place !== undefined && keys.length < 20; place = pending.pop()) {
    const node = states.node(place.hash);
    for (let index = 0; index < 256; index += 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const path = [...place.path, index, ...node.prefixAt(offset)];
      if (node.isPointerAt(offset)) pending.push({ hash: node.targetAt(offset), path });
      else keys.push(Uint8Array.from(path));
    }
    expect(childrenOf(node).nodes.length + childrenOf(node).leaves.length).toBe(node.count);
  }
  return keys;
}

/** The same snapshot with one leaf changed, as a forger with the whole snapshot can make it. */
async function withLeaves(place: MemoryPlace, change: (leaf: Uint8Array) => Uint8Array): Promise<MemoryPlace> {
  const forged = new MemoryPlace();
  const { name, dialect: _dialect, maker: _maker, ...made } = await findSnapshot(place, undefined);
  const chunks: (typeof made.chunks)[number][] = [];
  let isDone = false;
  for (const chunk of made.chunks) {
    const entries: Entry[] = [];
    const bytes = await openChunk(chunk.hash, place.files.get(chunkName(chunk.hash))!.bytes, chunk.bytes);
    for (const entry of entriesOf(chunk.hash, bytes)) {
      entries.push(entry.kind === "leaf" && !isDone ? { kind: "leaf", bytes: change(entry.bytes) } : entry);
      isDone ||= entry.kind === "leaf";
    }
    const content = chunkBytes(entries);
    const hash = toHex(blake2b256(content));
    await forged.put(chunkName(hash), await compressChunk(content));
    chunks.push({ ...chunk, hash });
  }
  const manifest = writeManifest({ ...made, dialect: "f1r3node", chunks }, undefined);
  expect(readManifest(name, manifest).dialect).toBe("f1r3node");
  await forged.put(name, manifest);
  return forged;
}
