import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag } from "../testing/index.js";
import { decideBlocks, putUndecided } from "./forkedAway.js";
import { undecidedBlock } from "./undecidedBlocks.js";

/** A DAG with an event log: records what is inserted, returns what is decided. */
class ForkScene {
  readonly made: TestDag;
  /** Blocks that prove an equivocation. */
  proof: readonly Uint8Array[] = [];

  constructor(stakes: Readonly<Record<string, number>>) {
    this.made = new TestDag(stakes);
  }

  add(creator: string, parents: readonly Block[], justifications: Readonly<Record<string, Block>>): Block {
    const block = this.made.add({ creator, parents, justifications });
    this.made.store.write((tables) => putUndecided(tables, this.made.dag.require(block.hash)));
    return block;
  }

  /** Makes these final, lowest first. @returns hashes of the blocks that are reported as forked away */
  finalize(blocks: readonly Block[], hasOneParent = false): string[] {
    const { store, dag } = this.made;
    dag.proofAgainst = () => this.proof;
    const finalized = blocks.map(({ hash }) => dag.require(hash));
    let decided: Uint8Array[] = [];
    store.write((tables) => {
      decided = decideBlocks(tables, finalized, { dag, hasOneParent });
    });
    this.made.dag.recordFinalized(finalized.at(-1)!, finalized.slice(0, -1));
    return decided.map(toHex);
  }

  undecided(): string[] {
    const keys = [...this.made.store.table("undecidedBlocks").range()];
    return keys.map(([key]) => toHex(undecidedBlock(key).hash));
  }
}

const hashes = (...blocks: readonly Block[]) => blocks.map(({ hash }) => toHex(hash));

/** Validator a makes a1 beside the chain of b, and goes on upon that chain. */
function scene(stakes: Readonly<Record<string, number>> = { a: 1, b: 1, c: 1 }) {
  const fork = new ForkScene(stakes);
  const { genesis } = fork.made;
  const a1 = fork.add("a", [genesis], { a: genesis, b: genesis, c: genesis });
  const b1 = fork.add("b", [genesis], { a: genesis, b: genesis, c: genesis });
  const c1 = fork.add("c", [b1], { a: genesis, b: b1, c: genesis });
  const a2 = fork.add("a", [c1], { a: a1, b: b1, c: c1 });
  const b2 = fork.add("b", [a2], { a: a2, b: b1, c: c1 });
  return { fork, a1, b1, c1, a2, b2 };
}

test("what is beside the final chain is lost at once where blocks have one parent", () => {
  const { fork, a1, b1 } = scene();
  expect(fork.finalize([b1], true)).toEqual(hashes(a1));
});

test("a block is not lost while some validator may not have received the next block of its maker", () => {
  const { fork, a1, b1, c1, a2, b2 } = scene();
  // The newest block of a that c is known to have is genesis: it may still merge a1.
  expect(fork.finalize([b1])).toEqual([]);
  const c2 = fork.add("c", [b2], { a: a2, b: b2, c: c1 });
  expect(fork.finalize([c1, a2])).toEqual(hashes(a1));
  expect(fork.undecided()).toEqual(hashes(b2, c2));
});

test("a block is not lost while it lies below a possible parent of a new block", () => {
  const { fork, a1, b1, c1, a2, b2 } = scene();
  const aside = fork.add("b", [a1, b2], { a: a2, b: b2, c: c1 });
  const c2 = fork.add("c", [b2], { a: a2, b: b2, c: c1 });
  expect(fork.finalize([b1, c1, a2])).toEqual([]);
  const b4 = fork.add("b", [c2], { a: a2, b: aside, c: c2 });
  expect(fork.finalize([b2])).toEqual([]);
  const a3 = fork.add("a", [b4], { a: a2, b: b4, c: c2 });
  fork.add("c", [a3], { a: a3, b: b4, c: c2 });
  expect(fork.finalize([c2, b4])).toEqual(hashes(a1, aside));
});

test("what a validator knew that has been silent for a thousand heights keeps nothing undecided", () => {
  const { fork, a1, b1, c1, a2, b2 } = scene();
  const chain = [b1, c1, a2, b2];
  let [a, b] = [a2, b2];
  while (chain.at(-1)!.number < 1_005n) {
    a = fork.add("a", [b], { a, b, c: c1 });
    b = fork.add("b", [a], { a, b, c: c1 });
    chain.push(a, b);
  }
  const upTo = (height: bigint) => chain.splice(0, chain.findIndex(({ number }) => number === height) + 1);
  expect(c1.number).toBe(2n);
  expect(fork.finalize(upTo(1_002n))).toEqual([]);
  expect(fork.finalize(upTo(1_003n))).toEqual(hashes(a1));
});

test("what a validator without stake knew keeps nothing undecided", () => {
  const { fork, a1, b1, c1, a2 } = scene({ a: 1, b: 1, c: 0 });
  expect(fork.finalize([b1, c1, a2])).toEqual(hashes(a1));
});

test("the other side of a validator that contradicts itself may know less than its latest block", () => {
  const { fork, a1, b1, c1, a2, b2 } = scene();
  const twin = fork.made.make({ creator: "c", parents: [b1], justifications: { b: b1, c: c1 } });
  fork.made.dag.insert(twin, { invalid: false, approved: false });
  fork.add("c", [b2], { a: a2, b: b2, c: c1 });
  fork.proof = [twin.hash];
  expect(fork.finalize([b1, c1, a2])).toEqual([]);
  fork.proof = [];
  expect(fork.finalize([b2])).toEqual(hashes(a1));
});
