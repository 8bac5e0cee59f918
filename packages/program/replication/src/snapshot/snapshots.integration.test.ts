import { BlockTable } from "@vedette/chain";
import { blake2b256, createNodeCertificate, fromHex, nodeIdOfCertificate, toHex } from "@vedette/crypto";
import { testGenesis } from "@vedette/node/testing";
import { Block, type BlockFields, decodeBlock, encodeBlock, rnode } from "@vedette/protocol";
import { rnodeSpace, StateStore } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { chunkBytes, compressChunk, entriesOf, openChunk } from "./chunk/chunkFormat.js";
import { createSnapshot } from "./createSnapshot.js";
import { findManifests, findSnapshot } from "./findSnapshots.js";
import { readManifest } from "./manifest/Manifest.js";
import { chunkName } from "./manifest/names.js";
import { pruneSnapshots } from "./pruneSnapshots.js";
import { MemoryPlace } from "./testing/MemoryPlace.js";
import { entriesIn, RestoredNode, SnapshotWorld } from "./testing/SnapshotWorld.js";
import { verifySnapshot } from "./verifySnapshot.js";

const blocks = 6;
const dayMs = 86_400_000;

let world: SnapshotWorld;

beforeAll(async () => {
  world = await SnapshotWorld.begin(blocks);
});

async function made() {
  const place = new MemoryPlace();
  const { name } = await world.create(place);
  return { place, manifest: readManifest(name, place.files.get(name)!.bytes) };
}

/** A copy with files that may be damaged. */
function copyOf(place: MemoryPlace): MemoryPlace {
  const copy = new MemoryPlace();
  for (const [name, file] of place.files) copy.files.set(name, { ...file });
  return copy;
}

const options = () => ({ dialect: rnode, form: rnodeSpace, report: () => {}, signal: new AbortController().signal });

describe("a snapshot of the last final block", () => {
  test("carries a checkpoint for light clients, with the time of its block", async () => {
    const place = new MemoryPlace();
    const { name } = await world.create(place, { thresholdPpm: 100_000 });
    const manifest = readManifest(name, place.files.get(name)!.bytes);
    const { timestamp } = (await new RestoredNode().restore(place, manifest)).header;
    expect(manifest.checkpoint).toEqual({ timestamp: Number(timestamp), thresholdPpm: 100_000 });
    const other = { ...manifest, checkpoint: { timestamp: Number(timestamp) + 1, thresholdPpm: 100_000 } };
    await expect(new RestoredNode().restore(place, other)).rejects.toThrow(/its checkpoint states the time/);
    await expect(verifySnapshot(place, other, options())).rejects.toThrow(/its checkpoint states the time/);
  });

  test("makes a node that begins there, with the same state, node by node and leaf by leaf", async () => {
    const { place, manifest } = await made();
    expect(manifest.block.number).toBe(blocks);
    const node = new RestoredNode();
    const block = await node.restore(place, manifest);
    const root = block.body.state.postStateHash;
    expect(toHex(root)).toBe(manifest.block.postStateHash);
    expect(node.dag.lastFinalized()?.number).toBe(BigInt(blocks));
    expect(node.dag.nextBlockNumber()).toBe(BigInt(blocks) + 1n);
    const all = [...world.source.dag.blocksByHeight(0n, BigInt(blocks))];
    expect([...node.dag.blocksByHeight(0n, BigInt(blocks))]).toEqual(all);
    const [ours, theirs] = [new StateStore(node.state), new StateStore(world.state)];
    expect(ours.hasRoot(root)).toBe(true);
    const nodes = entriesIn(node.state, "history");
    expect(nodes.size).toBe(manifest.nodes);
    for (const [hash, bytes] of nodes) expect(toHex(theirs.nodeBytes(fromHex(hash))!)).toBe(bytes);
    const leaves = entriesIn(world.state, "cold");
    for (const [hash, bytes] of entriesIn(node.state, "cold")) expect(leaves.get(hash)).toBe(bytes);
  });

  test("has the blocks that a joining node fetches, and no older ones", async () => {
    const height = 53;
    const bonds = { v1: 1_000n };
    const long = await SnapshotWorld.begin(height, await testGenesis({ bonds, wallets: { u1: 10n ** 12n } }), true);
    const place = new MemoryPlace();
    const { name } = await long.create(place);
    const manifest = readManifest(name, place.files.get(name)!.bytes);
    const node = new RestoredNode();
    await node.restore(place, manifest);
    await verifySnapshot(place, manifest, options());
    const lowestOf = ({ dag }: RestoredNode) => [...dag.blocksByHeight(0n, BigInt(height))][0]!;
    expect(lowestOf(node).height).toBe(BigInt(height) - 50n);

    // A snapshot with all blocks has each as final as on the node that made it.
    const full = await long.create(place, { blocksFrom: 0n });
    const fullManifest = readManifest(full.name, place.files.get(full.name)!.bytes);
    const other = new RestoredNode();
    await other.restore(place, fullManifest);
    expect(await verifySnapshot(place, fullManifest, options())).toMatchObject({ blocks: height + 1 });
    expect(lowestOf(other).height).toBe(0n);
    const { dag } = long.source;
    for (const one of dag.blocksByPrefix("", height + 1)) {
      const { number, finalized, invalid, postStateHash } = one;
      expect(other.dag.find(one.hash)).toMatchObject({ number, finalized, invalid, postStateHash });
    }
    const begun = { ...long.source, dag: node.dag, blocks: new BlockTable(node.chain, { form: rnode.blockForm }) };
    const again = createSnapshot({
      ...{ source: begun, place, nowMs: () => 0, report: () => {}, signal: new AbortController().signal },
      blocksFrom: 0n,
    });
    await expect(again).rejects.toThrow("raise --blocks-from");
  });

  test("is whole, and names its maker", async () => {
    const place = new MemoryPlace();
    const maker = createNodeCertificate(1_700_000_000_000);
    const { name } = await world.create(place, { maker });
    const manifest = readManifest(name, place.files.get(name)!.bytes);
    expect(manifest.maker).toBe(toHex(nodeIdOfCertificate(maker.certificatePem)));
    const verified = await verifySnapshot(place, manifest, options());
    expect(verified.blocks).toBe(manifest.blocks);
    expect(verified.nodes).toBeGreaterThan(100);
    await new RestoredNode().restore(place, manifest, { maker: manifest.maker! });
    await expect(new RestoredNode().restore(place, manifest, { maker: "00".repeat(20) })).rejects.toThrow(
      `was made by node ${manifest.maker}, and not by`,
    );
  });

  test("of an earlier block is had by its hash, and has most chunks in common", async () => {
    const { place } = await made();
    const earlier = [...world.source.dag.blocksByHeight(3n, 4n)][0]!;
    await world.create(place, { at: toHex(earlier.hash) });
    const manifests = await findManifests(place);
    expect(manifests.map(({ block }) => block.number)).toEqual([blocks, 3]);
    const found = await findSnapshot(place, toHex(earlier.hash).slice(0, 12));
    const node = new RestoredNode();
    expect((await node.restore(place, found)).number).toBe(3n);
    const before = place.writes;
    await world.create(place, { at: toHex(earlier.hash) });
    // Nothing but its manifest is written anew.
    expect(place.writes).toBe(before + 1);
  });
});

describe("a snapshot that is wrong is refused, and nothing begins with it", () => {
  const refused = async (place: MemoryPlace, manifest: Awaited<ReturnType<typeof made>>["manifest"], words: string) => {
    const node = new RestoredNode();
    await expect(node.restore(place, manifest)).rejects.toThrow(words);
    expect(node.dag.lastFinalized()).toBeUndefined();
    await expect(verifySnapshot(place, manifest, options())).rejects.toThrow(words);
  };

  test("another byte anywhere in any chunk, or its end cut off", async () => {
    const { place, manifest } = await made();
    for (const { hash } of manifest.chunks) {
      const name = chunkName(hash);
      const { bytes } = place.files.get(name)!;
      for (const at of [1, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const copy = copyOf(place);
        const changed = bytes.slice();
        changed[at]! ^= 0x41;
        copy.files.set(name, { bytes: changed, changedMs: 0 });
        await refused(copy, manifest, `Chunk ${hash} is wrong`);
        copy.files.set(name, { bytes: bytes.subarray(0, at), changedMs: 0 });
        await refused(copy, manifest, `Chunk ${hash} is wrong`);
      }
      const copy = copyOf(place);
      copy.files.delete(name);
      await refused(copy, manifest, "it is not there");
    }
  });

  test("a chunk that is left away, and one of other content", async () => {
    const { place, manifest } = await made();
    const [first, ...others] = manifest.chunks;
    await refused(place, { ...manifest, chunks: others }, "its own block is not in it");
    await refused(place, { ...manifest, chunks: [first!] }, "not in it");
    const put = async (bytes: Uint8Array) => {
      const hash = toHex(blake2b256(bytes));
      place.files.set(chunkName(hash), { bytes: await compressChunk(bytes), changedMs: 0 });
      return { hash, entries: 1, bytes: bytes.length };
    };
    const kindless = await put(Uint8Array.of(9, 0, 0, 0, 0));
    await refused(place, { ...manifest, chunks: [kindless] }, "no entry begins at byte 0");
    const cut = await put(Uint8Array.of(0, 0, 0, 1, 0));
    await refused(place, { ...manifest, chunks: [cut] }, "is cut off");
    const noBlock = await put(chunkBytes([{ kind: "block", bytes: Uint8Array.of(1, 2, 3) }]));
    await refused(place, { ...manifest, chunks: [noBlock] }, "a block");
  });

  test("blocks with other references or signatures than their creators made, which their hashes do not cover", async () => {
    const { place, manifest } = await made();
    const [first, ...others] = manifest.chunks;
    const content = await openChunk(first!.hash, place.files.get(chunkName(first!.hash))!.bytes, first!.bytes);
    const entries = [...entriesOf(first!.hash, content)];
    const withBlock = async (at: number, change: (block: Block) => Partial<BlockFields>) => {
      const changed = entries.map((entry, index) => {
        if (index !== at) return entry;
        const block = decodeBlock(entry.bytes.slice(), rnode.blockForm);
        const { hash, header, body, justifications, sender, sequenceNumber } = block;
        const { signature, signatureAlgorithm, shardId, extraBytes } = block;
        const fields = { hash, header, body, justifications, sender, sequenceNumber };
        const more = { signature, signatureAlgorithm, shardId, extraBytes };
        return { ...entry, bytes: encodeBlock(new Block({ ...fields, ...more, ...change(block) })) };
      });
      const bytes = chunkBytes(changed);
      const hash = toHex(blake2b256(bytes));
      const copy = copyOf(place);
      copy.files.set(chunkName(hash), { bytes: await compressChunk(bytes), changedMs: 0 });
      const chunks = [{ hash, entries: entries.length, bytes: bytes.length }, ...others];
      return [copy, { ...manifest, chunks }] as const;
    };
    for (const at of [0, 2]) {
      const references = await withBlock(at, () => ({ justifications: [] }));
      await refused(...references, "has references that its creator did not sign");
      const signature = await withBlock(at, (block) => ({ signature: block.signature.map((byte) => byte ^ 1) }));
      await refused(...signature, "signature is invalid");
    }
    const swapped = chunkBytes([entries[1]!, entries[0]!, ...entries.slice(2)]);
    const hash = toHex(blake2b256(swapped));
    place.files.set(chunkName(hash), { bytes: await compressChunk(swapped), changedMs: 0 });
    const chunks = [{ hash, entries: entries.length, bytes: swapped.length }, ...others];
    await refused(place, { ...manifest, chunks }, "comes before the one that the snapshot is of");
  });

  test("another block than the trusted one, another network, an invalid manifest", async () => {
    const { place, manifest } = await made();
    const trusted = "ab".repeat(32);
    await expect(new RestoredNode().restore(place, manifest, { trusted })).rejects.toThrow("nothing was written");
    await expect(new RestoredNode().restore(place, manifest, { shard: "other" })).rejects.toThrow("is of shard 'root'");
    const { name } = manifest;
    const { bytes } = place.files.get(name)!;
    const text = new TextDecoder().decode(bytes);
    for (const wrong of [
      "",
      "{}",
      text.slice(0, -20),
      text.replace("vedette-snapshot-1", "2"),
      text.replace('"nodes": ', '"nodes": -'),
    ])
      expect(() => readManifest(name, new TextEncoder().encode(wrong))).toThrow(`The manifest ${name} is wrong`);
    expect(() => readManifest(name.replace("manifests/0", "manifests/1"), bytes)).toThrow("of another block");
  });

  test("a manifest that was changed after it was signed", async () => {
    const place = new MemoryPlace();
    const { name } = await world.create(place, { maker: createNodeCertificate(1_700_000_000_000) });
    const text = new TextDecoder().decode(place.files.get(name)!.bytes);
    const changed = text.replace(/"madeAt": \d+/, '"madeAt": 1');
    expect(changed).not.toBe(text);
    expect(() => readManifest(name, new TextEncoder().encode(changed))).toThrow("its signature is not its maker's");
  });
});

test("a restoration that is broken off goes on with what is left", async () => {
  const { place, manifest } = await made();
  const node = new RestoredNode();
  const controller = new AbortController();
  const counting = copyOf(place);
  let asked = 0;
  const get = counting.get.bind(counting);
  counting.get = (...of) => {
    asked += 1;
    if (asked === 1) controller.abort(new TypeError("the power is gone"));
    return get(...of);
  };
  await expect(node.restore(counting, manifest, { signal: controller.signal })).rejects.toThrow("the power is gone");
  expect(node.dag.lastFinalized()).toBeUndefined();
  const before = node.done.size;
  expect(before).toBe(1);
  asked = 0;
  await node.restore(counting, manifest);
  expect(asked).toBe(manifest.chunks.length - before);
  expect(node.dag.lastFinalized()?.number).toBe(BigInt(blocks));
});

test("a resumed restoration does not use the state of another block", async () => {
  const { place, manifest } = await made();
  const earlier = [...world.source.dag.blocksByHeight(3n, 4n)][0]!;
  await world.create(place, { at: toHex(earlier.hash) });
  const other = await findSnapshot(place, toHex(earlier.hash));
  const node = new RestoredNode();
  const [blocksOfIt] = manifest.chunks;
  await expect(node.restore(place, { ...manifest, chunks: [blocksOfIt!] })).rejects.toThrow("not in it");
  expect(node.done.size).toBe(1);
  const mixed = { ...manifest, chunks: [blocksOfIt!, ...other.chunks] };
  await expect(node.restore(place, mixed)).rejects.toThrow("is not in it");
  expect(node.dag.lastFinalized()).toBeUndefined();
});

test("older snapshots are thrown away with what they alone need, and not what may be under way", async () => {
  const { place } = await made();
  const earlier = [...world.source.dag.blocksByHeight(2n, 3n)][0]!;
  await world.create(place, { at: toHex(earlier.hash) });
  const young = chunkName("cd".repeat(32));
  place.files.set(young, { bytes: new Uint8Array(3), changedMs: 10 * dayMs });
  const pruned = await pruneSnapshots(place, { keep: 1, nowMs: 10 * dayMs });
  expect(pruned.snapshots).toHaveLength(1);
  expect(pruned.chunks).toBeGreaterThan(0);
  expect(place.files.has(young)).toBe(true);
  const [left, ...others] = await findManifests(place);
  expect([left!.block.number, others]).toEqual([blocks, []]);
  await verifySnapshot(place, left!, options());
  await expect(findSnapshot(place, toHex(earlier.hash))).rejects.toThrow("vedette snapshot list");
});

test("a missing block, a chain without finality and a pruned state are refused", async () => {
  const place = new MemoryPlace();
  await expect(world.create(place, { at: "ef".repeat(32) })).rejects.toThrow("no block efef");
  await expect(world.create(place, { at: "ef" })).rejects.toThrow("complete hash");
  const pruned = await SnapshotWorld.begin(2);
  const root = pruned.source.dag.lastFinalized()!.postStateHash;
  pruned.state.write((tables) => {
    tables("history").delete(root);
    tables("changedHistory").delete(root);
  });
  await expect(pruned.create(place)).rejects.toThrow("choose a newer block");
  expect((await place.list("manifests/")).length).toBe(0);
  await expect(findSnapshot(place, undefined)).rejects.toThrow("memory has no snapshot at all");
});
