import { equalBytes, toHex } from "@vedette/crypto";
import type { Block, Deploy } from "@vedette/protocol";
import { areRecordingsThere, ownF1r3nodeChain } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { unfinalizedAncestors } from "../dag/ancestors.js";
import { f1r3nodeFinality } from "../finality/f1r3node/f1r3nodeFinality.js";
import { F1r3nodeDag, f1r3nodeChain } from "../testing/f1r3nodeChain.js";
import { f1r3nodeRejections } from "./f1r3nodeRejections.js";
import { f1r3nodeFinalStatus } from "./finalDeployStatus.js";
import { findRejection, takeFinality } from "./rejectedDeploys.js";

const noted = {
  [ownF1r3nodeChain]: { rejected: 26, restored: 8 },
  "solo-r": { rejected: 0, restored: 0 },
  "trio-r": { rejected: 5, restored: 0 },
} as const;

describe.each([
  [ownF1r3nodeChain, 100_000n],
  ...(areRecordingsThere
    ? ([
        ["solo-r", 0n],
        ["trio-r", 100_000n],
      ] as const)
    : []),
] as const)("on the chain %s, at every moment,", (chain, tolerance) => {
  test("a deploy is finalized if and only if its effect is in the last final state", () => {
    const follower = new Follower(tolerance);
    const wrong: string[] = [];
    const seen = { finals: 0, finalized: 0, absent: 0 };
    for (const { block } of f1r3nodeChain(chain)) {
      if (!follower.take(block)) continue;
      seen.finals += 1;
      const effects = follower.effects();
      for (const deploy of follower.deploys()) {
        const isThere = effects.has(toHex(deploy.signature));
        if ((follower.finalStatusOf(deploy) === "finalized") !== isThere) wrong.push(toHex(deploy.signature));
        seen[isThere ? "finalized" : "absent"] += 1;
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.finals).toBeGreaterThan(5);
    expect(seen.finalized).toBeGreaterThan(100);
    if (chain !== "solo-r") expect(seen.absent).toBeGreaterThan(10);
  });

  test("a deploy of a final block is noted as given up exactly where its effect is not in the last final state", () => {
    const follower = new Follower(tolerance);
    const wrong: string[] = [];
    for (const { block } of f1r3nodeChain(chain)) {
      if (!follower.take(block)) continue;
      const effects = follower.effects();
      for (const { hash, body } of follower.node.blocks.values()) {
        if (!follower.node.dag.require(hash).finalized) continue;
        for (const { deploy, failed } of body.deploys) {
          const isRejected = findRejection(follower.node.store, hash, deploy.signature) !== undefined;
          if (!failed && isRejected === effects.has(toHex(deploy.signature))) wrong.push(toHex(deploy.signature));
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(follower.seen).toEqual(noted[chain]);
  });

  test("what an earlier version noted otherwise is put right with the next final block", () => {
    const follower = new Follower(tolerance);
    const blocks = f1r3nodeChain(chain).map(({ block }) => block);
    const middle = Math.floor(blocks.length / 2);
    for (const block of blocks.slice(0, middle)) follower.take(block);
    follower.node.store.write((tables) => {
      for (const [key] of [...tables("rejectedDeploys").range()]) tables("rejectedDeploys").delete(key);
    });
    for (const block of blocks.slice(middle)) follower.take(block);
    expect(follower.noted()).toEqual(new Follower(tolerance, blocks).noted());
  });
});

/** Takes the blocks of a chain in their order, and finds what is final after each. */
class Follower {
  readonly node: F1r3nodeDag;
  /** How often a deploy was noted as given up, and as taken up again. */
  readonly seen = { rejected: 0, restored: 0 };
  readonly #find;
  readonly #finality;
  readonly finalStatusOf;

  constructor(tolerance: bigint, blocks: readonly Block[] = []) {
    this.node = new F1r3nodeDag(tolerance);
    const { dag, store, facts, floors, lineage } = this.node;
    this.#find = f1r3nodeRejections(facts, this.node);
    this.#finality = f1r3nodeFinality(floors, lineage);
    this.finalStatusOf = f1r3nodeFinalStatus(
      { dag, store, rules: { maximumParents: 100, maximumParentDepth: 15 } },
      facts,
    );
    for (const block of blocks) this.take(block);
  }

  /** @returns whether something is final that was not */
  take(block: Block): boolean {
    const { dag, store } = this.node;
    this.node.insert(block);
    const found = this.#finality.findFinalized(dag);
    if (found === undefined) return false;
    const ancestors = unfinalizedAncestors(dag, found);
    store.write((tables) => {
      const changes = takeFinality(tables, { dag, block: found, ancestors, threshold: 0 }, this.#find);
      this.seen.rejected += changes.rejected.length;
      this.seen.restored += changes.restored.length;
    });
    dag.recordFinalized(found, ancestors);
    return true;
  }

  deploys(): Deploy[] {
    return [...this.node.blocks.values()].flatMap(({ body }) => body.deploys.map(({ deploy }) => deploy));
  }

  /** Returns the signatures with effects in the last final state, along the line of blocks that it was made from. */
  effects(): ReadonlySet<string> {
    const effects = new Set<string>();
    for (let at = this.node.find(this.node.dag.lastFinalized()!.hash); at !== undefined; ) {
      const { deploys, appliedFromScope = [], mergeBase } = at.body;
      for (const { deploy, failed } of deploys) if (!failed) effects.add(toHex(deploy.signature));
      for (const signature of appliedFromScope) effects.add(toHex(signature));
      const base = mergeBase !== undefined && mergeBase.length > 0 ? mergeBase : at.parents[0];
      at = base === undefined ? undefined : this.node.find(base);
    }
    return effects;
  }

  /** Returns the table's entries, without the mark: which block's deploy, by which block. */
  noted(): string[] {
    const last = this.node.dag.lastFinalized()!.hash;
    return [...this.node.store.table("rejectedDeploys").range()].flatMap(([key, by]) =>
      key.length === 1 && equalBytes(by, last) ? [] : [`${toHex(key)} ${toHex(by)}`],
    );
  }
}
