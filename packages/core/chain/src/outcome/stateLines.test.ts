import { blake2b256, emptyBytes, toHex } from "@vedette/crypto";
import { Block } from "@vedette/protocol";
import { MemoryStore, tablesOf, type WritableTables } from "@vedette/store";
import { beforeEach, expect, test } from "vitest";
import { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { noteMerge } from "./mergeNotes.js";
import { rejectionsBetween } from "./stateLines.js";

const hashOf = (name: string) => blake2b256(new TextEncoder().encode(name));
const state = hashOf("state");

/** Names instead of hashes. */
class NamedDag {
  readonly store = new MemoryStore(tablesOf("chain"));
  readonly #blocks = new Map<string, BlockMetadata>();
  readonly #names = new Map<string, string>();

  put(name: string, number: number, parents: readonly string[]): void {
    const fields = {
      ...{ hash: hashOf(name), parents: parents.map(hashOf), number: BigInt(number) },
      ...{ sender: emptyBytes, justifications: [], bonds: undefined as never, sequenceNumber: number, timestamp: 0n },
      ...{ preStateHash: state, postStateHash: state, statement: emptyBytes },
    };
    const flags = { invalid: false, finalized: false, directlyFinalized: false };
    this.#blocks.set(toHex(fields.hash), new BlockMetadata(fields, flags));
    this.#names.set(toHex(fields.hash), name);
  }

  /** @param given `deploy in block` */
  merge(name: string, number: number, parents: readonly string[], base: string, given: readonly string[]): void {
    this.put(name, number, parents);
    const block = new Block({
      ...{ hash: hashOf(name), header: { parents: [], timestamp: 0n, version: 1n, extraBytes: emptyBytes } },
      body: {
        state: { preStateHash: state, postStateHash: state, bonds: [], blockNumber: BigInt(number) },
        ...{ deploys: [], systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] },
      },
      ...{ justifications: [], sender: emptyBytes, sequenceNumber: 0, signature: emptyBytes, signatureAlgorithm: "" },
      ...{ shardId: "", extraBytes: emptyBytes },
    });
    const rejections = given.map((text) => {
      const [deploy = "", inBlock = ""] = text.split(" in ");
      this.#names.set(toHex(blake2b256(hashOf(deploy))), deploy);
      return { blockHash: hashOf(inBlock), deployId: hashOf(deploy) };
    });
    const scope = { base: hashOf(base), baseStateHash: state, blocks: [] };
    noteMerge(this.store, block, scope, { stateHash: state, rejectedDeploys: [], rejections });
  }

  /** As `deploy in block by merging block`. */
  between(before: string | undefined, after: string) {
    const dag = { find: (hash: Uint8Array) => this.#blocks.get(toHex(hash)) } as Partial<DagView> as DagView;
    const tables = ((name) => this.store.table(name)) as WritableTables;
    const find = (name: string) => this.#blocks.get(toHex(hashOf(name)));
    const { rejected, restored } = rejectionsBetween(before === undefined ? undefined : find(before), find(after)!, {
      dag,
      tables,
      threshold: 0,
    });
    const named = (hash: Uint8Array) => this.#names.get(toHex(hash));
    const lines = (all: typeof rejected) =>
      all.map((one) => `${named(one.idHash)} in ${named(one.blockHash)} by ${named(one.rejectedBy)}`);
    return { rejected: lines(rejected), restored: lines(restored) };
  }
}

let dag = new NamedDag();
beforeEach(() => {
  dag = new NamedDag();
  dag.put("genesis", 0, []);
  for (const name of ["a1", "b1", "c1"]) dag.put(name, 1, ["genesis"]);
});

test("blocks with one parent reject nothing", () => {
  dag.put("a2", 2, ["a1"]);
  expect(dag.between("genesis", "a2")).toEqual({ rejected: [], restored: [] });
  expect(dag.between(undefined, "a2")).toEqual({ rejected: [], restored: [] });
});

test("what a merge gave up is rejected in all that is built on it", () => {
  dag.merge("a2", 2, ["a1", "b1"], "genesis", ["pay in b1"]);
  dag.put("a3", 3, ["a2"]);
  const rejected = ["pay in b1 by a2"];
  expect(dag.between("genesis", "a3")).toEqual({ rejected, restored: [] });
  expect(dag.between("a1", "a3")).toEqual({ rejected, restored: [] });
  expect(dag.between("a2", "a3")).toEqual({ rejected: [], restored: [] });
});

test("a merge on a lower base decides anew; what only a merge beside the state's line gave up stays in the state", () => {
  dag.merge("a2", 2, ["a1", "b1", "c1"], "genesis", ["pay in a1"]);
  dag.merge("b2", 2, ["b1", "a1", "c1"], "genesis", ["pay in a1"]);
  dag.merge("a3", 3, ["a2", "b2"], "a1", ["buy in c1"]);
  expect(dag.between("genesis", "a3")).toEqual({ rejected: ["buy in c1 by a3"], restored: [] });
  expect(dag.between("a2", "a3")).toEqual({ rejected: ["buy in c1 by a3"], restored: ["pay in a1 by a2"] });
});

test("what is rejected as before is no change", () => {
  dag.merge("a2", 2, ["a1", "b1"], "genesis", ["pay in b1"]);
  dag.merge("a3", 3, ["a2", "c1"], "genesis", ["pay in b1", "buy in c1"]);
  expect(dag.between("a2", "a3")).toEqual({ rejected: ["buy in c1 by a3"], restored: [] });
});
