import { printPar } from "@vedette/terms";
import { expect, test } from "vitest";
import { StateMerger } from "../merge/StateMerger.js";
import { exploreDeploy } from "../query/exploreDeploy.js";
import { TestChain } from "../testing/TestChain.js";

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

test("blocks side by side may add to one number and set keys of one map", () => {
  const chain = new TestChain();
  const base = chain.add({ deploys: [{ deployer: "u1", term: prepare }] }).block;
  const blocks = [
    chain.make(base, { deploys: [{ deployer: "u2", term: use(1, "one") }], sender: "v1" }).block,
    chain.make(base, { deploys: [{ deployer: "u3", term: use(2, "two") }], sender: "v2" }).block,
  ];
  for (const { body } of blocks) expect(body.deploys.map(({ failed }) => failed)).toEqual([false]);
  const merged = new StateMerger(chain.states, chain.store).merge(base.body.state.postStateHash, blocks);
  expect(merged.rejectedDeploys).toEqual([]);
  expect(ask(chain, merged.stateHash, look)).toEqual(["[8, 1, 2]"]);
});

test("what blocks side by side insert is found after they are merged", () => {
  const chain = new TestChain();
  const deploys = Array.from({ length: 4 }, (_, index) => ({ deployer: "u1", term: insert(`before ${index}`) }));
  const base = chain.add({ deploys }).block;
  const blocks = ["left", "right"].map(
    (data, index) =>
      chain.make(base, { deploys: [{ deployer: `u${index + 2}`, term: insert(data) }], sender: `v${index + 1}` }).block,
  );
  const merged = new StateMerger(chain.states, chain.store).merge(base.body.state.postStateHash, blocks);
  expect(merged.rejectedDeploys).toEqual([]);
  for (const data of ["left", "right"]) {
    const source = `new ret, lookup(\`rho:registry:lookup\`) in { for (@uri <- @"${data}") { lookup!(uri, *ret) } }`;
    expect(ask(chain, merged.stateHash, source)).toEqual([`"${data}"`]);
  }
});

function ask(chain: TestChain, root: Uint8Array, source: string): string[] {
  const nobody = new Uint8Array(65).fill(4);
  const result = exploreDeploy(chain.states, { root, source, deployer: nobody, signature: nobody, timestamp: 0n });
  if (result.kind === "failed") throw result.error;
  return result.pars.map((par) => printPar(par));
}
