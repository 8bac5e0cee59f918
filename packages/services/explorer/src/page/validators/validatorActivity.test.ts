import { expect, test } from "vitest";
import { validatorActivity } from "./validatorActivity.js";

const block = (number: number, sender: string, seqNum: number, hash = `${sender}${number}`) => ({
  ...{ hash, number, sender, seqNum, timestamp: 0, deployCount: 0, parents: [] },
});

test("validators are ordered by stake, with what they proposed and on how many heights they did not", () => {
  const bonds = [
    { validator: "a", stake: 5n },
    { validator: "b", stake: 9n },
    { validator: "c", stake: 0n },
  ];
  const blocks = [block(3, "b", 2), block(2, "a", 1), block(2, "b", 1), block(1, "a", 0)];
  expect(
    validatorActivity(bonds, blocks).map(({ validator, proposed, withoutBlock, latest }) => [
      validator,
      proposed,
      withoutBlock,
      latest?.number,
    ]),
  ).toEqual([
    ["b", 2, 1, 3],
    ["a", 2, 1, 2],
    ["c", 0, 3, undefined],
  ]);
});

test("two blocks of one number are an equivocation, at any place", () => {
  const found = validatorActivity([{ validator: "a", stake: 1n }], [block(3, "a", 7, "x"), block(2, "a", 7, "y")]);
  expect(found[0]?.hasEquivocated).toBe(true);
});
