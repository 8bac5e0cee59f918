import { beforeAll, expect, test } from "vitest";
import { testKey } from "../contractTest/genesisState.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { TestChain } from "../testing/TestChain.js";
import { KnownBonds } from "./KnownBonds.js";
import { bonds } from "./proofOfStake.js";

const bond = `
  new lookup(\`rho:registry:lookup\`), posCh, deployer(\`rho:rchain:deployerId\`), ack in {
    lookup!(\`rho:rchain:pos\`, *posCh) | for (@(_, pos) <- posCh) { @pos!("bond", *deployer, 500, *ack) }
  }`;
let chain: TestChain;
const roots: Uint8Array[] = [];

beforeAll(() => {
  chain = new TestChain();
  const add = (deploys: readonly { deployer: string; term: string }[]) =>
    roots.push(chain.add({ deploys }).block.body.state.postStateHash);
  for (let block = 0; block < 3; block += 1) add([{ deployer: "u1", term: `@${block}!(${block})` }]);
  add([{ deployer: "v2", term: bond }]);
  for (let block = 0; block < 2; block += 1) add([]);
});

test("the bonds of each state are those that its contract returns; the contract is read only where they may differ", () => {
  const known = new KnownBonds(chain.states, rnodeExecution);
  const answers = roots.map((root) => known.of(root));
  expect(answers).toEqual(roots.map((root) => bonds(chain.states, root, { form: rnodeExecution })));
  const stakes = answers.map((all) => all.find(({ validator }) => validator.join() === testKey("v2").publicKey.join()));
  expect(stakes.map((found) => found?.stake)).toEqual([undefined, undefined, undefined, 500n, 500n, 500n]);
  expect(answers.map((answer, index) => index > 0 && answer === answers[index - 1])).toEqual([
    ...[false, true, true],
    ...[false, true, true],
  ]);
  expect(known.of(roots[0]!)).toEqual(answers[0]);
});

test("a state that is not there is refused, whatever is known", () => {
  const known = new KnownBonds(chain.states, rnodeExecution);
  known.of(roots[0]!);
  expect(() => known.of(new Uint8Array(32).fill(9))).toThrow("unknown root");
});
