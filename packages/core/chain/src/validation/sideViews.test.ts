import { toHex } from "@vedette/crypto";
import { Block, type SystemDeploy } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { invalidBlockViews } from "./invalidBlockViews.js";

const stakes = { v1: 10, v2: 10, v3: 10 };

/** A validator's two sides, of which others found the second one invalid, and what they built on each. */
function scene() {
  const dag = new TestDag(stakes);
  const { genesis } = dag;
  const all = { v1: genesis, v2: genesis, v3: genesis };
  const one = dag.add({ creator: "v3", parents: [genesis], justifications: all });
  const two = dag.add({ creator: "v3", parents: [genesis], justifications: all, invalid: true });
  const onOne = dag.add({ creator: "v1", parents: [one], justifications: { ...all, v3: one } });
  const onTwo = dag.add({ creator: "v2", parents: [two], justifications: { ...all, v3: two }, invalid: true });
  const second = dag.add({ creator: "v1", parents: [onOne], justifications: { ...all, v1: onOne, v3: one } });
  return { dag, all, one, two, onOne, onTwo, second };
}

function slashing(block: Block, ...slashed: readonly Block[]): Block {
  const systemDeploys = slashed.map(({ hash }) => {
    const systemDeploy: SystemDeploy = { kind: "slash", invalidBlockHash: hash, issuerPublicKey: validatorKey("v2") };
    return { systemDeploy, log: [], error: "" };
  });
  return new Block({ ...block, body: { ...block.body, systemDeploys } });
}

function viewsOf({ dag }: TestDag, block: Block): string[][] {
  return [...invalidBlockViews(block, dag, 1_000)].map((view) => view.map(({ hash }) => toHex(hash)).sort());
}

const names = (...blocks: readonly Block[]) => blocks.map(({ hash }) => toHex(hash)).sort();

describe("the invalid blocks that a creator may have had", () => {
  test("are those of this node, where the block has no slash", () => {
    const { dag, all, two, onTwo } = scene();
    const block = dag.make({ creator: "v2", parents: [onTwo], justifications: { ...all, v2: onTwo, v3: two } });
    expect(viewsOf(dag, block)).toEqual([names(two, onTwo)]);
  });

  test("are tried with the slashed ones, the slashed ones alone, and what follows from the other side", () => {
    const { dag, all, one, two, onOne, onTwo, second } = scene();
    const made = dag.make({
      creator: "v2",
      parents: [onTwo],
      justifications: { ...all, v1: second, v2: onTwo, v3: one },
    });
    const views = viewsOf(dag, slashing(made, one, second));
    expect(views).toEqual([
      names(two, onTwo),
      names(two, onTwo, one, second),
      names(one, second),
      // A node that found the first side invalid found all blocks on it invalid, the block between as well.
      names(one, onOne, second),
    ]);
  });

  test("are few, however many sides there are", () => {
    const { dag, all, one } = scene();
    for (let more = 0; more < 20; more += 1)
      dag.add({ creator: "v3", parents: [dag.genesis], justifications: all, timestamp: BigInt(1_000 + more) });
    const made = dag.make({ creator: "v2", parents: [dag.genesis], justifications: { ...all, v3: one } });
    expect(viewsOf(dag, slashing(made, one)).length).toBeLessThanOrEqual(6);
  });
});
