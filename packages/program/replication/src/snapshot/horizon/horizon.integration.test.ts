import { BlockTable, Dag } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { F1r3nodeStates, mergeableIdOf } from "@vedette/execution";
import { type Block, rnode } from "@vedette/protocol";
import { tablesOf } from "@vedette/store";
import { f1r3nodeSpace, findMissing, StateStore } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import type { Entry } from "../chunk/chunkFormat.js";
import { createSnapshot } from "../createSnapshot.js";
import { findSnapshot } from "../findSnapshots.js";
import { F1r3nodeNode, F1r3nodeWorld, f1r3nodeSetup } from "../testing/F1r3nodeFixture.js";
import { lies, more, partsOf } from "../testing/horizonLies.js";
import { MemoryPlace } from "../testing/MemoryPlace.js";
import { chunksOf, rewritten } from "../testing/rewritten.js";
import { RestoredNode, SnapshotWorld } from "../testing/SnapshotWorld.js";
import { verifySnapshot } from "../verifySnapshot.js";

const { signal } = new AbortController();
const looking = { ...f1r3nodeSetup, report: () => {}, signal };
let world: F1r3nodeWorld;
let chunks: readonly (readonly Entry[])[];

beforeAll(async () => {
  world = await F1r3nodeWorld.begin({ below: 5, above: 2 });
  chunks = await chunksOf(world.place);
});

/** Returns the findings of a node that is alone about the blocks that it does not have. */
async function takeAll(node: F1r3nodeNode): Promise<readonly string[]> {
  const alone = node.start("v4");
  const said: string[] = [];
  for (const block of world.network.blocks)
    if (!alone.chain.dag.has(block.hash)) said.push(await alone.take(block).catch((error: unknown) => String(error)));
  return said;
}

/** Restores into memory, interrupted after `step` chunks each time, or more if it makes no progress. */
async function restoreInParts(place: MemoryPlace, step: number) {
  const node = new F1r3nodeNode();
  let most = step;
  for (let parts = 1; ; parts += 1) {
    const [stop, before] = [new AbortController(), node.done.size];
    let left = most;
    const onChunk = () => {
      left -= 1;
      if (left === 0) stop.abort(new TypeError("broken off"));
    };
    try {
      await node.restore(place, stop.signal, onChunk);
      return { node, parts };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    most = node.done.size === before ? most + step : step;
  }
}

/** Returns the content of the tables of a state that a horizon goes to, and of those of the chain. */
function contentOf({ state, chain }: F1r3nodeNode): readonly string[] {
  const tables = [
    ...(["roots", "cold", "mergeable"] as const).map((name) => state.table(name)),
    ...tablesOf("chain").map((name) => chain.table(name)),
  ];
  return tables.flatMap((table) => [...table.range()].map(([key, value]) => `${toHex(key)} ${toHex(value)}`));
}

const statesOf = ({ body }: Block) => [body.state.preStateHash, body.state.postStateHash];

describe("a snapshot of an f1r3node network", () => {
  test("has the data that merges right above it need, so that a node that is alone with it executes the blocks that come", async () => {
    const manifest = await findSnapshot(world.place, undefined);
    const node = new F1r3nodeNode();
    const block = await node.restore(world.place);
    const states = new StateStore(node.state, { form: f1r3nodeSpace });
    const [ours, theirs] = [node.state, world.source.state].map(
      (store) => new F1r3nodeStates(store, new StateStore(store, { form: f1r3nodeSpace })),
    ) as [F1r3nodeStates, F1r3nodeStates];
    const below = [...world.source.dag.blocksByHeight(0n, block.number + 1n)].flatMap(({ hash }) =>
      node.start("v4").chain.dag.has(hash) ? [world.source.blocks.find(hash)!] : [],
    );
    expect(below.length).toBeGreaterThan(6);
    for (const one of below) {
      for (const root of statesOf(one)) {
        expect(states.hasRoot(root)).toBe(true);
        expect(findMissing(states, root).nodes).toEqual([]);
      }
      expect(ours.findNumberEntry(mergeableIdOf(one))).toEqual(theirs.findNumberEntry(mergeableIdOf(one)));
    }
    expect(manifest.horizon).toMatchObject({ numbers: below.length });
    const roots = new Set(below.flatMap(statesOf).map(toHex));
    expect(manifest.horizon!.states).toBe(roots.size - 1);
    // It contains only new pieces.
    expect(manifest.horizon!.nodes * 2).toBeLessThan(manifest.nodes * manifest.horizon!.states);
    const said = await takeAll(node);
    expect(new Set(said)).toEqual(new Set(["Valid"]));
    expect(said.length).toBeGreaterThan(9);
    const merged = world.network.blocks.filter(({ parents }) => parents.length > 1);
    expect(merged.length).toBeGreaterThan(6);
  });

  test("is verified with it", async () => {
    const manifest = await findSnapshot(world.place, undefined);
    const found = await verifySnapshot(world.place, manifest, looking);
    expect(found).toMatchObject({ blocks: manifest.blocks, states: manifest.horizon!.states });
    expect(found.nodes).toBeGreaterThan(manifest.nodes);
  });

  test("is gone on with after every chunk, also amid a state that is in many", async () => {
    const own = chunks.filter(([first]) => first!.kind !== "state" && first!.kind !== "numbers");
    const single = chunks.slice(own.length).flatMap((entries) => entries.map((entry) => [entry]));
    const place = await rewritten(world.place, [...own, ...single]);
    const whole = new F1r3nodeNode();
    await whole.restore(world.place);
    const { node, parts } = await restoreInParts(world.place, 1);
    expect(parts).toBeGreaterThanOrEqual(chunks.length);
    expect(contentOf(node)).toEqual(contentOf(whole));
    // A chunk is noted once the state that goes on in the next one is there: what was broken off amid one begins with it.
    const { node: other } = await restoreInParts(place, 29);
    expect(contentOf(other)).toEqual(contentOf(whole));
  });

  test("that was made before has none, and is begun with as ever: the data that merges need are requested from peers", async () => {
    const own = chunks.filter(([first]) => first!.kind !== "state" && first!.kind !== "numbers");
    const place = await rewritten(world.place, own, ({ horizon: _horizon, ...made }) => made);
    const manifest = await findSnapshot(place, undefined);
    expect(manifest.horizon).toBeUndefined();
    expect(await verifySnapshot(place, manifest, looking)).toMatchObject({ states: 0 });
    const node = new F1r3nodeNode();
    const block = await node.restore(place);
    expect([...node.state.table("roots").range()].map(([root]) => toHex(root))).toEqual([
      toHex(block.body.state.postStateHash),
    ]);
    expect(new Set(await takeAll(node))).toEqual(new Set(["BlockException"]));
  });

  test("of a node that has not all of it has what that has", async () => {
    const begun = new F1r3nodeNode();
    const own = chunks.filter(([first]) => first!.kind !== "state" && first!.kind !== "numbers");
    await begun.restore(await rewritten(world.place, own, ({ horizon: _horizon, ...made }) => made));
    const { state, chain } = begun;
    const place = new MemoryPlace();
    const blocks = new BlockTable(chain, { form: f1r3nodeSetup.dialect.blockForm });
    const source = { ...f1r3nodeSetup, state, dag: new Dag(chain), blocks, chain };
    await createSnapshot({ source, place, nowMs: () => 0, report: () => {}, signal });
    const manifest = await findSnapshot(place, undefined);
    expect(manifest.horizon).toEqual({ states: 0, nodes: 0, leaves: 0, numbers: 0 });
    await new F1r3nodeNode().restore(place);
    await verifySnapshot(place, manifest, looking);
  });
});

describe("a wrong horizon of a snapshot is refused, and nothing begins with it:", () => {
  /** Has the snapshot's own block and state, and nothing of what lies below it. */
  let begun: F1r3nodeNode;
  let own: readonly (readonly Entry[])[];
  beforeAll(async () => {
    own = chunks.filter(([head]) => head!.kind !== "state" && head!.kind !== "numbers");
    begun = new F1r3nodeNode();
    const stop = new AbortController();
    let left = own.length;
    const onChunk = () => {
      left -= 1;
      if (left === 0) stop.abort(new TypeError("broken off"));
    };
    await expect(begun.restore(world.place, stop.signal, onChunk)).rejects.toThrow("broken off");
  });

  test.each(lies.map((lie) => [lie.what, lie] as const))("%s", async (_what, lie) => {
    const { states, numbers } = lie.forge(partsOf(chunks));
    const entries = [...states.flat(), ...numbers];
    const place = await rewritten(world.place, entries.length === 0 ? own : [...own, entries], lie.manifest);
    const node = begun.copy();
    await expect(node.restore(place)).rejects.toThrow(lie.refused);
    expect([...node.chain.table("approvedBlock").range()]).toEqual([]);
    const verifying = async () => verifySnapshot(place, await findSnapshot(place, undefined), looking);
    if ("verified" in lie && lie.verified === undefined) await verifying();
    else await expect(verifying()).rejects.toThrow(lie.verified ?? lie.refused);
  });

  test("a state amid a chunk of others, and any on a network of the other dialect", async () => {
    const { states } = partsOf(chunks);
    const amid = await rewritten(
      world.place,
      chunks.map((entries, at) => (at === 2 ? [...entries, ...states[0]!] : entries)),
      more,
    );
    await expect(new F1r3nodeNode().restore(amid)).rejects.toThrow(
      "it begins with something else than the earlier state",
    );
    const manifest = await findSnapshot(amid, undefined);
    await expect(verifySnapshot(amid, manifest, looking)).rejects.toThrow("it begins with something else");

    const older = await SnapshotWorld.begin(1);
    const place = new MemoryPlace();
    await older.create(place);
    const lied = await rewritten(place, [...(await chunksOf(place)), states[0]!]);
    const given = await findSnapshot(lied, undefined);
    await expect(new RestoredNode().restore(lied, given)).rejects.toThrow("no states below a snapshot's");
    const other = { ...looking, dialect: rnode, form: older.source.form };
    await expect(verifySnapshot(lied, given, other)).rejects.toThrow("no states below a snapshot's");
  });
});
