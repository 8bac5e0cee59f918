import { expect, test } from "vitest";
import { TestDag } from "../testing/TestDag.js";
import { lowestSide } from "./lowestSide.js";

test("the lowest of a creator's blocks beside another one of its own is found from all blocks above it", () => {
  const made = new TestDag({ a: 10, b: 10 });
  const { genesis, dag } = made;
  const next = (parent: typeof genesis, own: typeof genesis, creator = "a") =>
    made.add({ creator, parents: [parent], justifications: { a: own, b: genesis } });
  const one = next(genesis, genesis);
  const two = next(one, one);
  const side = next(one, one);
  const above = next(two, two);
  const top = next(above, above);
  const topSide = next(above, above);
  const lowestOf = (block: typeof genesis) => lowestSide(dag.require(block.hash), dag)?.hash;
  expect([one, two, side, above, top, topSide].map(lowestOf)).toEqual([
    undefined,
    two.hash,
    side.hash,
    two.hash,
    two.hash,
    two.hash,
  ]);
  expect(lowestOf(genesis)).toBeUndefined();
  expect(lowestOf(made.add({ creator: "b", parents: [top], justifications: { a: top, b: genesis } }))).toBeUndefined();
});
