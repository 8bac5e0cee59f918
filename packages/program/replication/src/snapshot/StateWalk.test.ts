import { blake2b256 } from "@vedette/crypto";
import { emptyRoot, rnodeSpace } from "@vedette/tuplespace";
import { putSharedSubtrees } from "@vedette/tuplespace/testing";
import { beforeAll, expect, test } from "vitest";
import { entriesOf, openChunk } from "./chunk/chunkFormat.js";
import { readManifest } from "./manifest/Manifest.js";
import { chunkName } from "./manifest/names.js";
import { SnapshotStateWalk } from "./SnapshotStateWalk.js";
import { MemoryPlace } from "./testing/MemoryPlace.js";
import { SnapshotWorld } from "./testing/SnapshotWorld.js";

interface Item {
  readonly kind: "node" | "leaf";
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

let root: Uint8Array;
const items: Item[] = [];

beforeAll(async () => {
  const place = new MemoryPlace();
  const { name } = await (await SnapshotWorld.begin(1)).create(place);
  const manifest = readManifest(name, place.files.get(name)!.bytes);
  root = Buffer.from(manifest.block.postStateHash, "hex");
  for (const { hash, bytes: length } of manifest.chunks) {
    const content = await openChunk(hash, place.files.get(chunkName(hash))!.bytes, length);
    for (const { kind, bytes } of entriesOf(hash, content))
      if (kind === "node" || kind === "leaf") items.push({ kind, hash: blake2b256(bytes), bytes });
  }
});

function walk(given: readonly Item[], from = root): boolean {
  const followed = new SnapshotStateWalk(rnodeSpace);
  followed.leaf(root, root);
  followed.begin(from);
  for (const { kind, hash, bytes } of given) {
    if (kind === "node") followed.node(hash, bytes);
    else followed.leaf(hash, bytes);
  }
  return followed.isWhole;
}

test("a snapshot comes in the order of the walk, and is whole at its end and no earlier", () => {
  expect(items.length).toBeGreaterThan(500);
  expect(walk(items)).toBe(true);
  for (const end of [0, 1, 2, items.length >> 1, items.length - 1]) expect(walk(items.slice(0, end))).toBe(false);
  expect(walk([], emptyRoot)).toBe(true);
});

test("anything that is left away, put elsewhere, put in, or of another state is noticed", () => {
  for (let at = 0; at < items.length; at += 37) {
    const [before, one, after] = [items.slice(0, at), items[at]!, items.slice(at + 1)];
    expect(walk([...before, ...after])).toBe(false);
    expect(walk([...before, one, one, ...after])).toBe(false);
    const other = { ...one, hash: blake2b256(one.hash) };
    expect(walk([...before, other, ...after])).toBe(false);
    expect(walk([...before, { ...one, kind: one.kind === "node" ? "leaf" : "node" }, ...after])).toBe(false);
    if (at > 1) expect(walk([one, ...before, ...after])).toBe(false);
  }
  expect(walk([...items, items.at(-1)!])).toBe(false);
  expect(walk(items, blake2b256(root))).toBe(false);
  expect(new SnapshotStateWalk(rnodeSpace).isWhole).toBe(false);
});

test("no snapshot is made of a state with few nodes in very many places", async () => {
  const world = await SnapshotWorld.begin(0);
  const nodes = putSharedSubtrees(world.state);
  const { postStateHash } = world.source.dag.lastFinalized()!;
  world.state.write((tables) => tables("history").put(postStateHash, nodes.at(-1)!));
  await expect(world.create(new MemoryPlace())).rejects.toThrow("it has the same nodes again and again");
});
