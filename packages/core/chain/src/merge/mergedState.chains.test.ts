import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toHex } from "@vedette/crypto";
import {
  commitEmptyState,
  mergeableIdOf,
  putMergeable,
  replayBlock,
  rnodeExecution,
  StateMerger,
} from "@vedette/execution";
import { type Block, decodeBlock, rejectedIdsOf, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { chainDirectory, chainsThatAreThere, ownChain, recordedBlocks } from "@vedette/testing";
import { StateStore } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { BlockTable } from "../block/BlockTable.js";
import { Dag } from "../dag/Dag.js";
import { updateFinality } from "../finality/finalityEffects.js";
import { cliqueFinality } from "../finality/finalizer.js";
import { creatorsFinality, type MergeFinalityView, noFinality, ownFinality } from "./MergeFinalityView.js";
import { type MergeScope, mergeScope, mergeScopes } from "./scope.js";

/** Which views of finality lead to the state with which a recorded block begins. */
interface Findings {
  readonly creators: boolean;
  readonly own: boolean;
  readonly none: boolean;
  /** How many scopes have to be tried. */
  readonly tries: number;
}

/** The facts that differ from chain to chain. */
const known: Readonly<Record<string, { readonly merging: number; readonly notOwn: string[]; readonly none: number }>> =
  {
    [ownChain]: { merging: 4, notOwn: [], none: 4 },
    merge: { merging: 12, notOwn: ["#6 562c4e0b", "#6 5b376e77"], none: 9 },
  };

/** Follows a chain block by block, as a node does, and merges the parents of every block with several. */
function follow(chain: string): Map<string, Findings> {
  const network = JSON.parse(readFileSync(join(chainDirectory(chain), "network.json"), "utf8"));
  const threshold: number = network.faultToleranceThreshold;
  const stateStore = new MemoryStore(tablesOf("state"));
  const states = new StateStore(stateStore);
  commitEmptyState(states, rnodeExecution);
  const merger = new StateMerger(states, stateStore);
  const chainStore = new MemoryStore(tablesOf("chain"));
  const dag = new Dag(chainStore);
  const table = new BlockTable(chainStore, { form: rnode.blockForm });
  const findings = new Map<string, Findings>();

  const leadsTo = (scope: MergeScope | undefined, block: Block): boolean => {
    if (scope === undefined) return false;
    const blocks = scope.blocks.map((hash) => table.find(hash)!);
    const { stateHash, rejectedDeploys } = merger.merge(scope.baseStateHash, blocks);
    const { state } = block.body;
    return (
      toHex(stateHash) === toHex(state.preStateHash) &&
      rejectedDeploys.map(toHex).join() === rejectedIdsOf(block.body).map(toHex).join()
    );
  };

  for (const { bytes, facts } of recordedBlocks(chain)) {
    const block = decodeBlock(bytes, rnode.blockForm);
    if (block.parents.length > 1) {
      const parents = block.parents.map((hash) => dag.require(hash));
      const { justifications } = block;
      const agrees = (view: MergeFinalityView) => leadsTo(mergeScope(dag, parents, view), block);
      const scopes = [...mergeScopes(dag, parents, { justifications, threshold })];
      findings.set(`#${facts.number} ${facts.hash.slice(0, 8)}`, {
        creators: agrees(creatorsFinality(dag, justifications, threshold)),
        own: agrees(ownFinality(dag)),
        none: agrees(noFinality(dag)),
        tries: scopes.findIndex((scope) => leadsTo(scope, block)) + 1,
      });
    }
    const replayed = replayBlock(states, { block, preState: block.body.state.preStateHash, invalidBlocks: [] });
    if ("failure" in replayed || toHex(replayed.postState) !== facts.postState) expect.fail(facts.hash);
    putMergeable(stateStore, mergeableIdOf(block), replayed.numberChannels);
    dag.insert(block, { invalid: facts.invalid, approved: facts.number === 0 }, (tables) => table.putIn(tables, block));
    updateFinality({ dag, blocks: table, rules: cliqueFinality(threshold), emit: () => {} });
  }
  return findings;
}

describe.each(chainsThatAreThere("merge"))("blocks of chain %s with several parents", (chain) => {
  const { merging, notOwn, none } = known[chain]!;
  let findings = new Map<string, Findings>();
  beforeAll(() => {
    findings = follow(chain);
  });
  const agreeing = (view: "creators" | "own" | "none"): number =>
    [...findings.values()].filter((found) => found[view]).length;

  test("all begin with the state that the merge in their creator's view of finality leads to", () => {
    const differing = [...findings].filter(([, { creators }]) => !creators).map(([block]) => block);
    expect(differing).toEqual([]);
    expect(findings.size).toBe(merging);
    expect([...findings.values()].every(({ tries }) => tries === 1)).toBe(true);
  });

  test("some may begin with another state than rnode's rule gives at a node that knows of more finality", () => {
    const differing = [...findings].filter(([, { own }]) => !own).map(([block]) => block);
    expect(differing).toEqual(notOwn);
  });

  test("a merge without regard to finality, as in later builds, may be another one", () => {
    expect(agreeing("none")).toBe(none);
  });
});
