import { BlockMetadata, type DagView } from "@vedette/chain";
import { hashKey } from "@vedette/protocol";
import { beforeEach, expect, test } from "vitest";
import { MainTip } from "./MainTip.js";

const hashOf = (name: string) => new TextEncoder().encode(name.padEnd(32, "."));
const stakes: Readonly<Record<string, bigint>> = { v1: 10n, v2: 11n, v3: 12n, unbonded: 0n };
const bonds = {
  bonds: [],
  stakes: new Map(Object.entries(stakes).map(([name, stake]) => [hashKey(hashOf(name)), stake])),
  total: 33n,
} as never;

/** Blocks by name, as far as the tip is looked for. */
class NamedDag {
  readonly #blocks = new Map<string, BlockMetadata>();
  readonly #latest = new Map<string, string>();
  readonly invalid = new Set<string>();
  finalized = "genesis";

  /** Makes it its sender's latest message. */
  put(name: string, number: number, parents: readonly string[], sender = ""): void {
    const fields = {
      ...{ hash: hashOf(name), parents: parents.map(hashOf), number: BigInt(number), sender: hashOf(sender) },
      ...{ justifications: [], bonds, sequenceNumber: number, timestamp: 0n },
      ...{ preStateHash: hashOf(""), postStateHash: hashOf(""), statement: new Uint8Array(0) },
    };
    const flags = { invalid: false, finalized: false, directlyFinalized: false };
    this.#blocks.set(name.padEnd(32, "."), new BlockMetadata(fields, flags));
    if (sender !== "") this.#latest.set(sender, name);
  }

  get tip(): string | undefined {
    const find = (hash: Uint8Array) => this.#blocks.get(new TextDecoder().decode(hash));
    const view: Partial<DagView> = {
      ...{ find, require: (hash) => find(hash)! },
      isInvalid: (hash) => this.invalid.has(new TextDecoder().decode(hash).replaceAll(".", "")),
      hasSlashingEvidence: () => false,
      lastFinalized: () => find(hashOf(this.finalized)),
      latestMessages: () =>
        [...this.#latest].map(([validator, name]) => ({ validator: hashOf(validator), hash: hashOf(name) })),
    };
    const found = new MainTip(view as DagView).find();
    return found && new TextDecoder().decode(found.hash).replaceAll(".", "");
  }
}

let dag = new NamedDag();
beforeEach(() => {
  dag = new NamedDag();
  dag.put("genesis", 0, []);
});

test("it is the last finalized block until a validator proposes, and none before the chain has begun", () => {
  expect(dag.tip).toBe("genesis");
  dag.finalized = "nothing";
  expect(dag.tip).toBeUndefined();
});

test("of blocks side by side it is the one with most of the stake above it, not the highest", () => {
  dag.put("a1", 1, ["genesis"], "v1");
  dag.put("a2", 2, ["a1"], "v1");
  dag.put("a3", 3, ["a2"], "v1");
  dag.put("b1", 1, ["genesis"], "v2");
  expect(dag.tip).toBe("b1");
  dag.put("a4", 4, ["a3"], "v3");
  expect(dag.tip).toBe("a4");
});

test("it never leaves what is final", () => {
  dag.put("a1", 1, ["genesis"], "v1");
  dag.put("b1", 1, ["genesis"], "v2");
  dag.put("b2", 2, ["b1"], "v3");
  dag.finalized = "a1";
  expect(dag.tip).toBe("a1");
});

test("invalid blocks and those of senders without stake do not count", () => {
  dag.put("a1", 1, ["genesis"], "v1");
  dag.put("a2", 2, ["a1"], "unbonded");
  expect(dag.tip).toBe("a1");
  dag.put("b1", 1, ["genesis"], "v3");
  expect(dag.tip).toBe("b1");
  dag.invalid.add("b1");
  expect(dag.tip).toBe("a1");
});
