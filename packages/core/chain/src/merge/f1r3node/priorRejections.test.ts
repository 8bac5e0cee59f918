import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { deployLifespan } from "../../ChainRules.js";
import { BlockLineage } from "../../finality/f1r3node/blockLineage.js";
import { TestDag, testDeploy } from "../../testing/TestDag.js";
import type { MergedScope } from "./mergePlan.js";
import { ignorePriorRejections, recordedRejections } from "./priorRejections.js";

const [lost, copied, settled] = [testDeploy(1).signature, testDeploy(2).signature, testDeploy(3).signature];

/** Makes a main chain of blocks with these records, by height; beside its tip is a block that is merged with it. */
function scene(records: Readonly<Record<number, readonly { signature: Uint8Array; duplicate?: boolean }[]>>) {
  const made = new TestDag({ a: 10, b: 20 });
  const justifications = { a: made.genesis, b: made.genesis };
  const blockOf = (creator: string, parent: Block, number: number) =>
    made.add({ creator, parents: [parent], justifications, rejections: records[number] ?? [] });
  const chain = [made.genesis];
  for (let number = 1; number <= 60; number += 1) chain.push(blockOf("a", chain.at(-1)!, number));
  const side = made.add({ creator: "b", parents: [chain[58]!], justifications, rejections: [{ signature: lost }] });
  const at = (block: Block) => made.dag.require(block.hash);
  const plan: MergedScope = {
    ...{ kind: "merge", anchor: at(chain[60]!), mainParent: at(chain[60]!), floor: at(chain[55]!) },
    ...{ lineage: [at(chain[60]!), at(chain[59]!)], visible: [at(side)], merged: [at(side)] },
  };
  const facts = new BlockLineage({ find: (hash) => made.blockOf(hash) });
  return { plan, sources: { dag: made.dag, facts } };
}

test("records count once a block: of the scope, of the base's own blocks, and of its main chain for a lifespan", () => {
  const edge = 55 - Number(deployLifespan);
  const once = [{ signature: lost }];
  const { plan, sources } = scene({
    [60]: [...once, { signature: copied, duplicate: true }],
    [55]: once,
    [edge]: [{ signature: settled }],
    [edge - 1]: [...once, { signature: settled }],
  });
  const counts = recordedRejections(sources, plan);
  expect([...counts].sort()).toEqual(
    [
      [toHex(lost), 3],
      [toHex(settled), 1],
    ].sort(),
  );
  expect(ignorePriorRejections(sources, plan).size).toBe(0);
});

test("a block that is not here is no block without records", () => {
  const { plan, sources } = scene({});
  const facts = new BlockLineage({ find: () => undefined });
  expect(() => recordedRejections({ ...sources, facts }, plan)).toThrow("is not in the DAG");
});
