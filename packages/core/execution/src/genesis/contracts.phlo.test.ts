import { systemContracts } from "@vedette/contracts";
import { areRecordingsThere } from "@vedette/testing";
import { expect, test } from "vitest";
import { ordinaryProgram, runProgram } from "../contractTest/contractProgram.js";
import { genesisState, type TestState } from "../contractTest/genesisState.js";
import { recordedGenesis } from "../testing/recordedGenesis.js";

/**
 * The maximum cost of each call, in phlo, and the cost with rnode's contracts: the difference to a program that answers
 * itself. The table of contracts/README.md. The cost of some calls depends by a few phlo on names and hashes. Each call
 * answers on `r`; `map` has 40 keys and depth 2, and something is registered under u1's key.
 */
const calls: readonly (readonly [name: string, call: string, own: number, reference: number])[] = [
  ["lookup of a contract of genesis", "lookup!(`rho:rchain:asiVault`, *r)", 1100, 31961],
  ["lookup of another URI", "lookup!(`$$registryUri u1$$`, *r)", 8450, 32081],
  ["insertArbitrary", 'insertArbitrary!("data", *r)', 10800, 78652],
  ["insertSigned, new", register("u2", 1), 16900, 99446],
  ["insertSigned, next version", register("u1", 2), 16800, 91635],
  ["tree hash map: get", '@maps!("get", map, 7, *r)', 4450, 17067],
  ["tree hash map: get of what is not there", '@maps!("get", map, "no", *r)', 2850, 9587],
  ["tree hash map: contains", '@maps!("contains", map, 7, *r)', 4500, 17136],
  ["tree hash map: set", '@maps!("set", map, 7, 8, *r)', 5350, 27827],
  ["tree hash map: set of a new key", '@maps!("set", map, "new", 8, *r)', 6900, 38286],
  ["tree hash map: update", '@maps!("update", map, 7, *f, *r) | for (@v, q <- f) { q!(v + 1) }', 6900, 20370],
  [
    "fold of 10 elements",
    '@listOps!("fold", [1,2,3,4,5,6,7,8,9,10], 0, *f, *r) | contract f(@x, @a, q) = { q!(a + x) }',
    14250,
    26901,
  ],
  [
    "map of 10 elements",
    '@listOps!("map", [1,2,3,4,5,6,7,8,9,10], *f, *r) | contract f(@x, q) = { q!(x) }',
    15350,
    38167,
  ],
  ["either: map", '@either!("map", (true, 1), *f, *r) | contract f(@x, q) = { q!(x) }', 1750, 1782],
  ["a new number", "@Number!(5, *r)", 3800, 4226],
  ["number: add", '@number!("add", 1, *r)', 1250, 1321],
  ["number: sub", '@number!("sub", 1, *r)', 1250, 1281],
  ["number: value", '@number!("value", *r)', 996, 996],
  ["stack: push", '@stacks!("push", stack, 1, *r)', 1200, 1510],
];

function register(person: string, version: number): string {
  return `insertSigned!("$$publicKey ${person}$$".hexToBytes(), (${version}, "data"), "$$registrySignature ${person} ${version}$$".hexToBytes(), *r)`;
}

const tools = "(maps, map, listOps, either, Number, number, stacks, stack)";
const names = `lookup(\`rho:registry:lookup\`), insertArbitrary(\`rho:registry:insertArbitrary\`),
  insertSigned(\`rho:registry:insertSigned:secp256k1\`), r, f`;
const prepare = `new ${names}, a, b, c, d, e, fill in {
  lookup!(\`rho:lang:treeHashMap\`, *a) | lookup!(\`rho:lang:listOps\`, *b) | lookup!(\`rho:lang:either\`, *c) |
  lookup!(\`rho:lang:nonNegativeNumber\`, *d) | lookup!(\`rho:lang:stack\`, *e) | ${register("u1", 1)} |
  for (@maps <- a & @(_, listOps) <- b & @(_, either) <- c & @(_, Number) <- d & @(_, stacks) <- e & _ <- r) {
    @maps!("init", 2, *a) | @Number!(5, *b) | @stacks!("init", *c) |
    for (@map <- a & @number <- b & @stack <- c) {
      fill!(40) |
      contract fill(@n) = {
        if (n == 0) { @"tools"!(${tools}) } else { @maps!("set", map, n, n, *d) | for (_ <- d) { fill!(n - 1) } }
      }
    }
  }
}`;

test.each(measure(genesisState(systemContracts)))("%s costs no more than the table states", (name, phlo) => {
  const [, , most, reference] = calls.find(([other]) => other === name)!;
  expect(phlo).toBeLessThanOrEqual(most);
  expect(most).toBeLessThanOrEqual(reference);
});

if (areRecordingsThere)
  test("calls of rnode's contracts cost the phlo in the table", () => {
    expect(measure(recordedGenesis())).toEqual(calls.map(([name, , , reference]) => [name, reference]));
  });

function measure(genesis: TestState): (readonly [string, number])[] {
  const prepared = runProgram(genesis, { ...ordinaryProgram, source: prepare, phloLimit: 1_000_000_000n });
  expect(prepared.errors).toEqual([]);
  const cost = (call: string) => {
    const source = `new ${names}, ok(\`rho:rchain:deployId\`) in { for (@${tools} <- @"tools") { ${call} | for (_ <- r) { ok!(1) } } }`;
    const result = runProgram(prepared.state, {
      ...ordinaryProgram,
      source,
      timestamp: ordinaryProgram.timestamp + 1n,
    });
    expect({ errors: result.errors, answers: result.messages.length }, call).toEqual({ errors: [], answers: 1 });
    return Number(result.cost);
  };
  const nothing = cost("r!(1)");
  return calls.map(([name, call]) => [name, cost(call) - nothing] as const);
}
