import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { toHex } from "@vedette/crypto";
import { blockDeploys, mergeDeploys } from "@vedette/execution";
import { type Block, hashKey } from "@vedette/protocol";
import { lengthPrefixed, recordedDirectory } from "@vedette/testing";
import { combineSets, type MergeChain, mergeChains, noEventSets } from "@vedette/tuplespace";
import { EventState, knowledgeOf } from "@vedette/tuplespace/testing";
import { describe, expect, test } from "vitest";
import { deployLifespan } from "../../ChainRules.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import { type F1r3nodeBlock, F1r3nodeDag, f1r3nodeChain } from "../../testing/f1r3nodeChain.js";
import { type MergePlan, planMerge } from "./mergePlan.js";

function planOf(node: F1r3nodeDag, block: Block): MergePlan {
  const parents = block.parents.map((hash) => node.dag.require(hash));
  const { floor } = node.floors.derive({ parents, justifications: block.justifications });
  return planMerge(node.dag, node.lineage, parents, floor);
}

/** Returns the merge base that a block names, by its plan. */
function mergeBaseOf(plan: MergePlan): string {
  if (plan.kind === "merge") return toHex(plan.anchor.hash);
  return plan.isNamed ? toHex(plan.parent.hash) : "";
}

describe.each([
  ["solo-r", 0n, 0],
  ["trio-r", 100_000n, 14],
])(`blocks of chain %s of the newer node`, (chain, tolerance, merging) => {
  test("are made on the recorded merge base", () => {
    const node = new F1r3nodeDag(tolerance);
    let merged = 0;
    for (const { block, facts } of f1r3nodeChain(chain)) {
      node.insert(block);
      if (block.parents.length === 0) continue;
      const plan = planOf(node, block);
      expect(mergeBaseOf(plan)).toBe(facts.mergeBase);
      if (plan.kind === "merge") merged += 1;
      // Without a merge nothing is rejected or taken over.
      else expect([facts.appliedFromScope, facts.rejectedDeploys]).toEqual([[], []]);
    }
    expect(merged).toBe(merging);
  });
});

/** Follows trio-r: the first state is known, the others as far as the logs show. */
class Follower {
  readonly node = new F1r3nodeDag(100_000n);
  private readonly after = new Map<string, EventState>();
  private readonly chains = new Map<string, readonly MergeChain[]>();
  private readonly empty: EventState;

  constructor(genesis: F1r3nodeBlock, programs: readonly string[]) {
    const pages = (name: string): Uint8Array => readFileSync(join(recordedDirectory("chains-r"), "trio-r", name));
    const first = lengthPrefixed(pages("state-genesis.bin"));
    const last = lengthPrefixed(gunzipSync(pages("state-lfb.bin.gz")));
    this.empty = new EventState(knowledgeOf([...first, ...last], programs));
    this.node.insert(genesis.block);
    this.after.set(hashKey(genesis.block.hash), this.empty.after([]).addPages(first));
  }

  /** Adds the next block. @returns the result of its merge, if it is one */
  take(block: Block) {
    const { node } = this;
    node.insert(block);
    const plan = planOf(node, block);
    if (plan.kind === "parent") {
      this.play(block, this.after.get(plan.parent.key)!);
      return undefined;
    }
    const { anchor, merged, lineage, visible, mainParent, floor } = plan;
    const base = this.after.get(anchor.key)!;
    const outcome = mergeDeploys({
      chains: merged.flatMap(({ key }) => this.chains.get(key)!),
      lineage: lineage
        .flatMap(({ key }) => this.chains.get(key)!)
        .map(({ events }) => events)
        .reduce(combineSets, noEventSets),
      base,
      isSettled: (id) =>
        node.lineage.holdsEffect(mainParent, hashKey(Buffer.from(id, "hex")), floor.number - deployLifespan),
      lateUpTo: floor.number - deployLifespan,
      descends: (hash, ancestor) =>
        new AncestorWalk(node.dag, node.dag.require(hash)).includes(node.dag.require(ancestor)),
      priorRejections: new Map(),
      recorded: visible.flatMap(({ hash }) => node.find(hash)!.body.rejectedDeploys),
    });
    this.play(block, base.merged(outcome.kept));
    return { plan, outcome };
  }

  private play(block: Block, before: EventState): void {
    const { deploys, systemDeploys, state } = block.body;
    const logs = [...deploys, ...systemDeploys].map(({ log }) => log);
    const after = before.after(logs.flat());
    const numbers = logs.map((log) => before.numbersOf(log));
    const source = { hash: block.hash, number: block.number, postState: state.postStateHash };
    this.after.set(hashKey(block.hash), after);
    this.chains.set(hashKey(block.hash), mergeChains(blockDeploys(block, numbers), source, { before, after }));
  }
}

test(`what trio-r's merges took over and rejected follows from its logs`, () => {
  const [genesis, ...others] = f1r3nodeChain("trio-r");
  const programs = others.flatMap(({ block }) => block.body.deploys.map(({ deploy }) => deploy.term));
  const follower = new Follower(genesis!, programs);
  let compared = 0;
  let rejected = 0;
  for (const { block, facts } of others) {
    const merged = follower.take(block);
    if (merged === undefined) continue;
    const { applied, records } = merged.outcome;
    const found = records.map(({ signature, duplicate, carrier }) => ({
      id: toHex(signature),
      duplicate,
      carrier: toHex(carrier),
    }));
    const name = `#${facts.number} ${facts.hash.slice(0, 8)}`;
    expect({ name, applied: applied.map(toHex), records: found }).toEqual({
      name,
      applied: [...facts.appliedFromScope],
      records: [...facts.rejectedDeploys],
    });
    compared += 1;
    rejected += records.length;
  }
  expect(compared).toBe(14);
  expect(rejected).toBe(25);
});
