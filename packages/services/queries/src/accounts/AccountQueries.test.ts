import { expect, test } from "vitest";
import { AccountQueries, type AccountReads } from "./AccountQueries.js";

/** Makes answers of a node with a chain that began at a height, with all its blocks in the index. */
function answersFrom(first: bigint, lowest: bigint, transfersSince: bigint): AccountQueries {
  const dag = {
    approvedBlock: () => ({ number: first }),
    *blocksByHeight(from: bigint, to: bigint) {
      for (let height = from < lowest ? lowest : from; height <= to; height += 1n) yield { height };
    },
  };
  const progress = () => ({ done: 20, total: 20 });
  return new AccountQueries({
    dag,
    progress,
    index: { transfersSince: () => transfersSince },
  } as unknown as AccountReads);
}

test("the history of accounts is complete only where the chain is known from genesis on", () => {
  const whole = { done: 20, total: 20, isComplete: true, blocksSince: 0n, transfersSince: 0n };
  expect(answersFrom(0n, 0n, 0n).facts()).toEqual(whole);
  // All blocks came with the state of a later one; the transfers of the blocks before it are unknown.
  expect(answersFrom(12n, 0n, 13n).facts()).toEqual({ ...whole, isComplete: false, transfersSince: 13n });
  const part = { ...whole, isComplete: false, blocksSince: 5n };
  expect(answersFrom(12n, 5n, 13n).facts()).toEqual({ ...part, transfersSince: 13n });
  expect(answersFrom(12n, 5n, 0n).facts()).toEqual({ ...part, transfersSince: 5n });
});
