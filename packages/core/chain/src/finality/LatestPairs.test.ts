import type { Block } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dag } from "../dag/Dag.js";
import { TestDag } from "../testing/TestDag.js";
import { faultTolerance } from "./faultTolerance.js";

const names = ["v0", "v1", "v2", "v3"];

/** A block: who makes it, the validators whose latest messages it gets to know, and whose is its parent. */
interface Step {
  readonly creator: number;
  readonly learns: number;
  readonly parent: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({ creator: fc.nat(3), learns: fc.nat(15), parent: fc.nat(3) });

/** The DAG after each two blocks, with the blocks in it. */
function* grown(steps: readonly Step[]) {
  const dag = new TestDag({ v0: 10, v1: 11, v2: 12, v3: 13 });
  const latest: Block[] = names.map(() => dag.genesis);
  const known = names.map(() => [...latest]);
  const blocks: Block[] = [dag.genesis];
  for (const [at, { creator, learns, parent }] of steps.entries()) {
    const knows = known[creator]!;
    for (const other of names.keys()) if ((learns >> other) & 1 || other === creator) knows[other] = latest[other]!;
    const justifications = Object.fromEntries(names.map((name, number) => [name, knows[number]!]));
    const made = dag.add({ creator: names[creator]!, parents: [knows[parent]!], justifications });
    latest[creator] = made;
    blocks.push(made);
    if (at % 2 === 1) yield { dag: dag.dag, blocks };
  }
}

/** The DAG, of which one look-up fails. */
function failing(dag: Dag, failsAt: number): Dag {
  let calls = 0;
  const find: Dag["find"] = (...what) => {
    calls += 1;
    if (calls === failsAt) throw new Error("the disk cannot be read");
    return dag.find(...what);
  };
  return new Proxy(dag, {
    get: (_, name) => {
      const value: unknown = name === "find" ? find : Reflect.get(dag, name, dag);
      return typeof value === "function" ? value.bind(dag) : value;
    },
  });
}

test("a look-up that fails changes nothing of what is found later", () => {
  const check = (steps: readonly Step[], failsAt: number) => {
    const found = (dag: Dag, blocks: readonly Block[]) => blocks.map(({ hash }) => faultTolerance(dag, hash));
    const expected: number[][] = [];
    for (const { dag, blocks } of grown(steps)) expected.push(found(dag, blocks));
    const seen: number[][] = [];
    for (const { dag, blocks } of grown(steps)) {
      try {
        found(failing(dag, failsAt), blocks);
      } catch (error) {
        expect(error).toEqual(new Error("the disk cannot be read"));
      }
      seen.push(found(dag, blocks));
    }
    expect(seen).toEqual(expected);
  };
  const anySteps = fc.array(anyStep, { minLength: 8, maxLength: 24 });
  fc.assert(fc.property(anySteps, fc.integer({ min: 1, max: 24 }), check), { numRuns: runs(200, 5_000) });
});
