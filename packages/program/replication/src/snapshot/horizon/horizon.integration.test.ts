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
import type { ManifestContent } from "../manifest/Manifest.js";
import { F1r3nodeNode, F1r3nodeWorld, f1r3nodeSetup } from "../testing/F1r3nodeFixture.js";
import { MemoryPlace } from "../testing/MemoryPlace.js";
import { chunksOf, rewritten } from "../testing/rewritten.js";
import { RestoredNode, SnapshotWorld } from "../testing/SnapshotWorld.js";
import { verifySnapshot } from "../verifySnapshot.js";
import { decodeStateHead, encodeStateHead } from "./horizonFormat.js";

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

/** States with what comes with each; and what was done to numbers. */
function partsOf() {
  const horizon = chunks.filter(([first]) => first!.kind === "state" || first!.kind === "numbers").flat();
  const states: Entry[][] = [];
  for (const entry of horizon) {
    if (entry.kind === "state") states.push([]);
    if (entry.kind !== "numbers") states.at(-1)!.push(entry);
  }
  return { states, numbers: horizon.filter(({ kind }) => kind === "numbers") };
}

type Parts = ReturnType<typeof partsOf>;

/** A state with a head that states how many entries of each kind come after it. */
function counted(
  [head, ...items]: readonly Entry[],
  change: Partial<ReturnType<typeof decodeStateHead>> = {},
): Entry[] {
  const count = (kind: Entry["kind"]) => items.filter((item) => item.kind === kind).length;
  const changed = { ...decodeStateHead(head!.bytes)!, nodes: count("node"), leaves: count("leaf"), ...change };
  return [{ kind: "state", bytes: encodeStateHead(changed) }, ...items];
}

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const other = bytes.slice();
  other[at < 0 ? other.length + at : at]! ^= 1;
  return other;
}

const first = (kind: Entry["kind"], entries: readonly Entry[]) => entries.findIndex((entry) => entry.kind === kind);
const more = (made: ManifestContent): ManifestContent => ({
  ...made,
  horizon: { states: 1_000, nodes: 100_000, leaves: 100_000, numbers: 1_000 },
});

/** A false snapshot, and why it is refused. `verified`: the words of a verification; `undefined` where it passes. */
interface Lie {
  readonly what: string;
  readonly forge: (parts: Parts) => {
    readonly states: readonly (readonly Entry[])[];
    readonly numbers: readonly Entry[];
  };
  readonly manifest?: (made: ManifestContent) => ManifestContent;
  readonly refused: RegExp;
  readonly verified?: RegExp | undefined;
}

const without = (kind: Entry["kind"], entries: readonly Entry[]) => entries.toSpliced(first(kind, entries), 1);
const inFirst =
  (change: (state: Entry[]) => readonly Entry[]) =>
  ({ states, numbers }: Parts) => ({
    states: [change(states[0]!), ...states.slice(1)],
    numbers,
  });
const inNumbers =
  (change: (bytes: Uint8Array) => Uint8Array) =>
  ({ states, numbers }: Parts) => ({
    states,
    numbers: [{ ...numbers[0]!, bytes: change(numbers[0]!.bytes) }, ...numbers.slice(1)],
  });
const noise = new Uint8Array(32).fill(7);

const lies: readonly Lie[] = [
  {
    what: "a node that is left away",
    forge: inFirst((state) => counted(without("node", state))),
    refused: /it is not whole/,
  },
  {
    what: "a leaf that is left away",
    forge: inFirst((state) => counted(without("leaf", state))),
    refused: /it is not whole/,
  },
  ...(["node", "leaf"] as const).map((kind) => ({
    what: `another ${kind}`,
    forge: inFirst((state) => {
      const at = first(kind, state);
      return state.with(at, { kind, bytes: changed(state[at]!.bytes, -1) });
    }),
    refused: /it is not whole/,
  })),
  {
    what: "a leaf that passes for another kind",
    forge: inFirst((state) => {
      const at = first("leaf", state);
      const { bytes } = state[at]!;
      return state.with(at, { kind: "leaf", bytes: Uint8Array.of((bytes[0]! + 1) % 3, ...bytes.subarray(1)) });
    }),
    refused: /in another's place|another kind|cannot be read|corrupted/i,
  },
  {
    what: "more nodes than there are",
    forge: inFirst((state) => counted([...state, { kind: "node", bytes: new Uint8Array(0) }])),
    manifest: more,
    refused: /is not among what is new/,
    verified: /nodes or leaves that it does not have/,
  },
  {
    what: "more leaves than there are",
    forge: inFirst((state) => counted([...state, { kind: "leaf", bytes: new Uint8Array(12) }])),
    manifest: more,
    refused: /is not among what is new/,
    verified: /nodes or leaves that it does not have/,
  },
  {
    what: "a state that no block names",
    forge: inFirst((state) => counted(state, { root: noise })),
    refused: /state 0707\w+ is that of none of the blocks below it/,
  },
  {
    what: "a state that is named as another one",
    forge: ({ states, numbers }) => ({
      states: [counted(states[0]!, { root: decodeStateHead(states[1]![0]!.bytes)!.root }), ...states.slice(1)],
      numbers,
    }),
    refused: /it is not whole|comes twice|is not among what is new/,
  },
  {
    what: "a state that comes twice",
    forge: ({ states, numbers }) => ({ states: [states[0]!, ...states], numbers }),
    manifest: more,
    refused: /state \w+ comes twice/,
  },
  {
    what: "a state beside one that comes later",
    forge: ({ states, numbers }) => ({ states: [states[1]!, states[0]!, ...states.slice(2)], numbers }),
    refused: /is based on a state that does not come before it/,
  },
  {
    what: "a state beside one that is none",
    forge: inFirst((state) => counted(state, { base: noise })),
    refused: /is based on a state that does not come before it/,
  },
  {
    what: "the head of a state that is cut off",
    forge: inFirst(([head, ...items]) => [{ ...head!, bytes: head!.bytes.subarray(1) }, ...items]),
    refused: /what should name a state cannot be read/,
  },
  {
    what: "a state that is cut off by the next one",
    forge: inFirst((state) => state.slice(0, -1)),
    refused: /state \w+ is cut off/,
  },
  {
    what: "a state that is cut off by the end",
    forge: ({ states }) => ({ states: states.with(-1, states.at(-1)!.slice(0, -1)), numbers: [] }),
    refused: /state \w+ is cut off/,
  },
  {
    what: "more behind a state than it states",
    forge: inFirst((state) => [...state, { kind: "leaf", bytes: new Uint8Array(12) }]),
    refused: /a leaf is there without a state/,
  },
  {
    what: "more of one kind than a state states",
    forge: inFirst((state) =>
      counted([...state.slice(0, 1), state[1]!, ...state.slice(1)], { leaves: 9_000, nodes: 1 }),
    ),
    manifest: more,
    refused: /has more than it states, or may have/,
  },
  {
    what: "a block among states",
    forge: inFirst((state) => [state[0]!, { kind: "block", bytes: noise }, ...state.slice(1)]),
    refused: /a block is among its states/,
  },
  {
    what: "fewer states than the manifest states",
    forge: ({ states }) => ({ states: states.slice(0, -1), numbers: [] }),
    manifest: (made) => ({ ...made, horizon: { ...made.horizon!, numbers: 0 } }),
    refused: /it has \d+ states, and states \d+/,
  },
  {
    what: "none of the states of the manifest",
    forge: () => ({ states: [], numbers: [] }),
    refused: /it has 0 states, and states \d+/,
  },
  ...(["states", "nodes", "leaves", "numbers"] as const).map((name) => ({
    what: `more ${name} than the manifest states`,
    forge: (parts: Parts) => parts,
    manifest: (made: ManifestContent) => ({ ...made, horizon: { ...made.horizon!, [name]: 1 } }),
    refused: new RegExp(`it has more ${name} than the 1 that it states|in more than 1 nodes`),
  })),
  {
    what: "states that the manifest does not list",
    forge: (parts) => parts,
    manifest: ({ horizon: _horizon, ...made }) => made,
    refused: /it has more states than the 0 that it states/,
  },
  {
    what: "more states than there may be",
    forge: (parts) => parts,
    manifest: (made) => ({ ...made, horizon: { ...made.horizon!, states: 20_001 } }),
    refused: /it is none of the format vedette-snapshot-1/,
  },
  {
    what: "numbers of a block that is not there",
    forge: inNumbers((bytes) => changed(bytes, 0)),
    refused: /of a block that is none of those below it/,
  },
  {
    what: "numbers that name no block",
    forge: inNumbers((bytes) => bytes.subarray(0, 31)),
    refused: /of a block that is none/,
  },
  {
    what: "numbers that come twice",
    forge: ({ states, numbers }) => ({ states, numbers: [numbers[0]!, ...numbers] }),
    manifest: more,
    refused: /did to numbers comes twice/,
  },
  { what: "numbers that are cut off", forge: inNumbers((bytes) => bytes.subarray(0, -1)), refused: /did to numbers: / },
  {
    what: "numbers of no deploys",
    forge: inNumbers((bytes) => Uint8Array.of(...bytes.subarray(0, 32), 0, 0, 0, 0, 0, 0, 0, 0)),
    refused: /it is of 0 deploys, and the block has \d+/,
  },
  {
    what: "numbers of another block",
    forge: ({ states, numbers }) => ({
      states,
      numbers: numbers.with(0, {
        kind: "numbers",
        bytes: Uint8Array.of(...numbers[0]!.bytes.subarray(0, 32), ...numbers[1]!.bytes.subarray(32)),
      }),
    }),
    refused: /did to numbers: .*(channel \w+ changes by|it is of)/,
    verified: undefined,
  },
  {
    what: "fewer numbers than the manifest states",
    forge: ({ states, numbers }) => ({ states, numbers: numbers.slice(1) }),
    refused: /it has the number changes of \d+ blocks, and states \d+/,
  },
  {
    what: "numbers of a block without its states",
    forge: ({ numbers }) => ({ states: [], numbers }),
    refused: /is there without the block's states/,
  },
];

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
    const { states, numbers } = lie.forge(partsOf());
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
    const { states } = partsOf();
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
