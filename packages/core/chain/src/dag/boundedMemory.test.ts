import { type Block, hashKey, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { BlockTable } from "../block/BlockTable.js";
import { faultTolerance } from "../finality/faultTolerance.js";
import { updateFinality } from "../finality/finalityEffects.js";
import { cliqueFinality } from "../finality/finalizer.js";
import { estimateTips } from "../forkChoice/estimator.js";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { recentAncestors } from "../validation/repeatDeploy.js";
import { unfinalizedAncestors } from "./ancestors.js";
import { Dag } from "./Dag.js";

const names = ["v0", "v1", "v2", "v3"];
const stakes = Object.fromEntries(names.map((name, index) => [name, 10 + index]));
const limits = { maximumParents: 8, maximumParentDepth: undefined };
const threshold = 0.1;

describe("a chain that grows", () => {
  const most = (chain: Chain, blocks: number): number => {
    let held = 0;
    for (let left = blocks; left > 0; left -= 1) {
      chain.grow();
      held = Math.max(held, chain.dag.heldBlocks);
    }
    return held;
  };

  test("takes no memory for a further final block", () => {
    const chain = new Chain();
    const early = most(chain, 200);
    const late = most(chain, 400);
    expect(chain.dag.lastFinalized()!.number).toBeGreaterThan(590n);
    expect(late).toBe(early);
    // A deploy's life span, what is not final, and what the window is late by.
    expect(late).toBeLessThan(80);
  });

  const long = new Chain();
  beforeAll(() => void most(long, 700));

  test("takes no more memory for being read from its end to its beginning", () => {
    const read = long.hashes.toReversed().map((hash) => long.dag.require(hash).hash);
    expect(read).toEqual(long.hashes.toReversed());
    expect(long.dag.heldBlocks).toBeLessThan(80 + 2 * 256);
  });

  test("takes none after a restart either", () => {
    const again = new Dag(long.made.store);
    for (const hash of long.hashes) again.require(hash);
    expect(again.heldBlocks).toBeLessThan(80 + 2 * 256);
  });

  test("keeps at hand what is not final, however much that is", () => {
    const chain = new Chain();
    most(chain, 100);
    const reads = countReads(chain.made.store);
    for (let left = 300; left > 0; left -= 1) chain.grow("v0");
    expect(chain.dag.lastFinalized()!.number).toBeLessThan(110n);
    expect(chain.dag.heldBlocks).toBeGreaterThan(300);
    expect(reads()).toBe(0);
  });
});

const step = fc.record({
  creator: fc.nat(names.length - 1),
  /** Validators with a newest block that the creator has missed. */
  late: fc.subarray([...names.keys()]),
  invalid: fc.integer({ min: 0, max: 30 }).map((number) => number === 0),
});

test("a DAG that holds nothing in memory answers as one that has seen all blocks", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 70, maxLength: 90 }), fc.nat(), (steps, place) => {
      const one = new TestDag(stakes);
      const store = new MemoryStore(tablesOf("chain"));
      const other = new Dag(store);
      other.insert(one.genesis, { invalid: false, approved: true });
      const added: Block[] = [one.genesis];
      const newest = Object.fromEntries(names.map((name) => [name, [one.genesis, one.genesis]]));
      for (const { creator, late, invalid } of steps) {
        const name = names[creator]!;
        const view = Object.fromEntries(
          names.map((each, at) => [each, newest[each]!.at(each !== name && late.includes(at) ? -2 : -1)!]),
        );
        const tips = [...new Set(Object.values(view))].sort((a, b) => Number(b.number - a.number)).slice(0, 2);
        const block = one.make({ creator: name, parents: tips, justifications: view, timestamp: BigInt(added.length) });
        added.push(block);
        if (!invalid) newest[name] = [newest[name]!.at(-1)!, block];
        const insertion = { invalid, approved: false };
        expect(other.insert(block, insertion)).toBe(one.dag.insert(block, insertion));
        for (const dag of [one.dag, other]) finalize(dag, dag === other ? store : one.store);
        other.reload();
        const any = added[(place + added.length) % added.length]!;
        if (added.length % 8 === 0) expect(answers(other, any)).toEqual(answers(one.dag, any));
      }
    }),
    { numRuns: runs(1, 4) },
  );
});

/** All that fork choice, finality and the checks find out from a DAG. */
function answers(dag: Dag, block: Block): unknown {
  const keys = (hashes: readonly Uint8Array[]) => hashes.map(hashKey);
  const { tips, commonAncestor } = estimateTips(dag, dag.approvedBlock()!, dag.latestMessages(), limits);
  const parents = tips.map((hash) => dag.require(hash));
  return {
    tips: keys(tips),
    commonAncestor: hashKey(commonAncestor),
    lastFinalized: dag.lastFinalized()?.key,
    open: unfinalizedAncestors(dag, parents[0]!).map(({ key }) => key),
    recent: [...recentAncestors(dag, parents)],
    latest: dag.latestBlocks().map(({ key }) => key),
    tolerance: faultTolerance(dag, block.hash),
    invalid: [dag.isInvalid(block.hash), keys(dag.invalidBlocks().map(({ hash }) => hash)).sort()],
    bonded: names.map((name) => dag.isBonded(hashKey(validatorKey(name)))),
    flags: (({ invalid, finalized, directlyFinalized }) => [invalid, finalized, directlyFinalized])(
      dag.require(block.hash),
    ),
  };
}

/** Validators take turns, and know of everything. */
class Chain {
  readonly made = new TestDag(stakes);
  readonly dag = this.made.dag;
  readonly hashes: Uint8Array[] = [this.made.genesis.hash];
  #known = Object.fromEntries(names.map((name) => [name, this.made.genesis]));
  #tip = this.made.genesis;

  grow(creator = names[this.hashes.length % names.length]!): void {
    this.#tip = this.made.add({ creator, parents: [this.#tip], justifications: this.#known });
    this.#known = { ...this.#known, [creator]: this.#tip };
    this.hashes.push(this.#tip.hash);
    finalize(this.dag, this.made.store);
  }
}

function finalize(dag: Dag, store: MemoryStore): void {
  updateFinality({
    dag,
    blocks: new BlockTable(store, { form: rnode.blockForm }),
    rules: cliqueFinality(threshold),
    emit: () => {},
  });
}

/** @returns a function that counts the reads of block metadata from the store since this call */
function countReads(store: MemoryStore): () => number {
  const table = store.table("blockMetadata");
  const get = table.get.bind(table);
  let reads = 0;
  table.get = (hash) => {
    reads += 1;
    return get(hash);
  };
  return () => reads;
}
