import type { Entry } from "../chunk/chunkFormat.js";
import { decodeStateHead, encodeStateHead } from "../horizon/horizonFormat.js";
import type { ManifestContent } from "../manifest/Manifest.js";

/** States with what comes with each; and what was done to numbers. */
export function partsOf(chunks: readonly (readonly Entry[])[]) {
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
export const more = (made: ManifestContent): ManifestContent => ({
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

export const lies: readonly Lie[] = [
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
