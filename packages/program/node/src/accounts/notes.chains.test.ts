import { toHex } from "@vedette/crypto";
import { mergeableIdOf, writeOutcome } from "@vedette/execution";
import type { Block, Deploy } from "@vedette/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AccountNode, accountGenesis } from "../testing/AccountNode.js";
import { userDeploy } from "../testing/SoloValidator.js";

const node = new AccountNode();
let failing: Deploy;
let wrong: Deploy;
let fine: Deploy;
let block: Block;

beforeAll(async () => {
  await node.begin("v1", await accountGenesis());
  node.run();
  failing = userDeploy("u1", 'new out(`rho:io:stdout`) in { out!("before") | @0!(1 + "one") }');
  wrong = userDeploy("u2", "new x in {\n  x!(y)\n}");
  fine = userDeploy("u3", 'new ack, err(`rho:io:stderrAck`) in { err!(["done", 1], *ack) }');
  for (const deploy of [failing, wrong, fine]) await node.validator.proposing.submit(deploy);
  block = await node.make();
  await node.complete();
});
afterAll(() => node[Symbol.asyncDispose]());

const noteOf = async (deploy: Deploy) => {
  const { answer } = await node.ask(`/v2/deploy/${toHex(deploy.signature)}`);
  const [{ errored, errors, prints, isNoteCut }] = answer.blocks;
  return { errored, errors, prints, isNoteCut };
};
const expected = () => [
  {
    errored: true,
    errors: [expect.objectContaining({ class: "OperatorExpectedError", line: null })],
    prints: [{ stream: "stdout", text: '"before"' }],
    isNoteCut: false,
  },
  {
    errored: true,
    errors: [expect.objectContaining({ class: "TopLevelFreeVariablesNotAllowedError", line: 2, column: 6 })],
    prints: [],
    isNoteCut: false,
  },
  { errored: false, errors: [], prints: [{ stream: "stderr", text: '["done", 1]' }], isNoteCut: false },
];

test("a failed deploy has class, text and place of the error, and what it wrote before", async () => {
  expect([await noteOf(failing), await noteOf(wrong), await noteOf(fine)]).toEqual(expected());
});

test("what was not noted when a block was executed is found by replaying it", async () => {
  node.states.write((tables) => tables("outcomes").delete(recordKey()));
  expect([await noteOf(failing), await noteOf(wrong), await noteOf(fine)]).toEqual(expected());
});

function recordKey(): Uint8Array {
  let key: Uint8Array | undefined;
  const keeping = () => ({ put: (bytes: Uint8Array) => (key = bytes) });
  const nothing = { transfers: { deploys: [], systemDeploys: [] }, notes: [] };
  writeOutcome(keeping as unknown as Parameters<typeof writeOutcome>[0], mergeableIdOf(block), nothing);
  return key!;
}
