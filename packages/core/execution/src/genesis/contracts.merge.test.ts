import { compareBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { printPar } from "@vedette/terms";
import { describe, expect, test } from "vitest";
import type { TestState } from "../contractTest/genesisState.js";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { StateMerger } from "../merge/StateMerger.js";
import { exploreDeploy } from "../query/exploreDeploy.js";
import { F1r3nodeTestChain } from "../testing/F1r3nodeTestChain.js";
import { TestChain, type TestLedger } from "../testing/TestChain.js";

/** A chain, and how blocks side by side on its latest state are merged. */
interface Ground {
  readonly chain: TestLedger;
  readonly states: TestState["states"];
  readonly form: ExecutionDialect;
  /** @returns the state, and how many deploys were rejected */
  merge(base: Block, blocks: readonly Block[]): { readonly stateHash: Uint8Array; readonly rejected: number };
}

function rnodeGround(): Ground {
  const chain = new TestChain();
  return {
    ...{ chain, states: chain.states, form: rnodeExecution },
    merge(base, blocks) {
      const merged = new StateMerger(chain.states, chain.store).merge(base.body.state.postStateHash, blocks);
      return { stateHash: merged.stateHash, rejected: merged.rejectedDeploys.length };
    },
  };
}

/** Upon the first of the blocks the others. */
function evidenceGround(): Ground {
  const { merge: _, ...ground } = rnodeGround();
  const chain = ground.chain as TestChain;
  return {
    ...ground,
    merge(_base, [first, ...others]) {
      const merger = new StateMerger(chain.states, chain.store);
      const merged = merger.merge(first!.body.state.postStateHash, others, [first!]);
      return { stateHash: merged.stateHash, rejected: merged.rejectedDeploys.length };
    },
  };
}

function f1r3nodeGround(): Ground {
  const chain = new F1r3nodeTestChain();
  return {
    ...{ chain, states: chain.states, form: f1r3nodeExecution },
    merge(base, blocks) {
      const merged = [...blocks].sort((one, other) => compareBytes(one.hash, other.hash));
      const facts = {
        lineage: [],
        settled: new Set<string>(),
        lateUpTo: -50n,
        recorded: [],
        priorRejections: new Map(),
      };
      const found = chain.floor.merge({ baseState: base.body.state.postStateHash, merged, ...facts });
      return { stateHash: found.stateHash, rejected: found.records.length };
    },
  };
}

const prepare = `new lookup(\`rho:registry:lookup\`), a, b, c in {
  lookup!(\`rho:lang:nonNegativeNumber\`, *a) | lookup!(\`rho:lang:treeHashMap\`, *b) |
  for (@(_, Number) <- a & @maps <- b) {
    @Number!(5, *a) | @maps!("init", 2, *b) |
    for (@number <- a & @map <- b) {
      @maps!("set", map, "one", 0, *c) |
      for (_ <- c) { @maps!("set", map, "two", 0, *c) | for (_ <- c) { @"tools"!!((number, maps, map)) } }
    }
  }
}`;

/** Adds to the number and sets a key of the map. */
function use(amount: number, key: string): string {
  return `new r in { for (@(number, maps, map) <- @"tools") { @number!("add", ${amount}, *r) | @maps!("set", map, "${key}", ${amount}, *r) } }`;
}

function insert(data: string): string {
  return `new insert(\`rho:registry:insertArbitrary\`), r in { insert!("${data}", *r) | for (@uri <- r) { @"${data}"!(uri) } }`;
}

const look = `new ret, lookup(\`rho:registry:lookup\`), a, b, c, d in {
  for (@(number, maps, map) <- @"tools") {
    @number!("value", *a) | @maps!("get", map, "one", *b) | @maps!("get", map, "two", *c) |
    for (@sum <- a & @one <- b & @two <- c) { ret!([sum, one, two]) }
  }
}`;

describe.each([
  ["rnode", rnodeGround],
  ["rnode, by evidence", evidenceGround],
  ["the newer node", f1r3nodeGround],
])("on networks of %s", (_, makeGround) => {
  test("blocks side by side may add to one number and set keys of one map", () => {
    const { chain, ...ground } = makeGround();
    const base = chain.add({ deploys: [{ deployer: "u1", term: prepare }] }).block;
    const blocks = [
      chain.make(base, { deploys: [{ deployer: "u2", term: use(1, "one") }], sender: "v1" }).block,
      chain.make(base, { deploys: [{ deployer: "u3", term: use(2, "two") }], sender: "v2" }).block,
    ];
    for (const { body } of blocks) expect(body.deploys.map(({ failed }) => failed)).toEqual([false]);
    const merged = ground.merge(base, blocks);
    expect(merged.rejected).toBe(0);
    expect(ask(ground, merged.stateHash, look)).toEqual(["[8, 1, 2]"]);
  });

  test("what blocks side by side insert is found after they are merged", () => {
    const { chain, ...ground } = makeGround();
    const deploys = Array.from({ length: 4 }, (_, index) => ({ deployer: "u1", term: insert(`before ${index}`) }));
    const base = chain.add({ deploys }).block;
    const blocks = ["left", "right"].map(
      (data, index) =>
        chain.make(base, { deploys: [{ deployer: `u${index + 2}`, term: insert(data) }], sender: `v${index + 1}` })
          .block,
    );
    const merged = ground.merge(base, blocks);
    expect(merged.rejected).toBe(0);
    for (const data of ["left", "right"]) {
      const source = `new ret, lookup(\`rho:registry:lookup\`) in { for (@uri <- @"${data}") { lookup!(uri, *ret) } }`;
      expect(ask(ground, merged.stateHash, source)).toEqual([`"${data}"`]);
    }
  });
});

describe("by evidence, upon a block beside", () => {
  const add = 'for (@number <- @"cell") { @"cell"!(number + 1) }';
  const cells = 'new ret in { for (@one <- @"cell") { ret!(one) | for (@two <- @"cell") { ret!(two) } } }';

  test("the changes of blocks that build on each other to one cell are there once", () => {
    const { chain, ...ground } = evidenceGround();
    const base = chain.add({ deploys: [{ deployer: "u1", term: '@"cell"!(0)' }] }).block;
    const main = chain.make(base, { deploys: [{ deployer: "u1", term: '@"other"!(1)' }], sender: "v1" }).block;
    const below = chain.make(base, { deploys: [{ deployer: "u2", term: add }], sender: "v2" }).block;
    const above = chain.make(below, { deploys: [{ deployer: "u3", term: add }], sender: "v2" }).block;
    const merged = ground.merge(base, [main, below, above]);
    expect(merged.rejected).toBe(0);
    expect(ask(ground, merged.stateHash, cells)).toEqual(["2"]);
    expect(ask(ground, merged.stateHash, 'new ret in { for (@one <- @"other") { ret!(one) } }')).toEqual(["1"]);
  });

  test("of two that take one datum the main parent's counts, and those that build on the other are rejected with it", () => {
    const { chain, ...ground } = evidenceGround();
    const base = chain.add({ deploys: [{ deployer: "u1", term: '@"cell"!(0)' }] }).block;
    const main = chain.make(base, { deploys: [{ deployer: "u1", term: add }], sender: "v1" }).block;
    const below = chain.make(base, { deploys: [{ deployer: "u2", term: add }], sender: "v2" }).block;
    const deploys = [
      { deployer: "u3", term: add },
      { deployer: "u1", term: '@"other"!(1)' },
    ];
    const above = chain.make(below, { deploys, sender: "v2" }).block;
    const merged = ground.merge(base, [main, below, above]);
    expect(merged.rejected).toBe(2);
    expect(ask(ground, merged.stateHash, cells)).toEqual(["1"]);
    expect(ask(ground, merged.stateHash, 'new ret in { for (@one <- @"other") { ret!(one) } }')).toEqual(["1"]);
  });

  test("deploys of one user side by side are all paid for", () => {
    const { chain, ...ground } = evidenceGround();
    const base = chain.add({ deploys: [{ deployer: "u1", term: "Nil" }] }).block;
    const make = (sender: string) => chain.make(base, { deploys: [{ deployer: "u1", term: "Nil" }], sender }).block;
    const merged = ground.merge(base, ["v1", "v2", "v3"].map(make));
    expect(merged.rejected).toBe(0);
  });
});

function ask({ states, form }: Omit<Ground, "chain">, root: Uint8Array, source: string): string[] {
  const anonymousKey = new Uint8Array(65).fill(4);
  const result = exploreDeploy(states, {
    root,
    source,
    form,
    deployer: anonymousKey,
    signature: anonymousKey,
    timestamp: 0n,
  });
  if (result.kind === "failed") throw result.error;
  return result.pars.map((par) => printPar(par));
}
