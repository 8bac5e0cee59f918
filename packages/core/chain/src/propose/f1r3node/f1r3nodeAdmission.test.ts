import type { Block, Deploy } from "@vedette/protocol";
import { hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { BlockLineage } from "../../finality/f1r3node/blockLineage.js";
import { TestDag, testDeploy } from "../../testing/TestDag.js";
import { poolEntryOf } from "../PoolEntry.js";
import { type F1r3nodePast, f1r3nodeAdmission } from "./f1r3nodeAdmission.js";

const deploy = testDeploy(2, { validAfterBlockNumber: 1n });

/** Nine blocks one on the other: the second has the deploy, one may record that it was given up. */
function chain(rejectedAt?: number) {
  const made = new TestDag({ a: 10 });
  const blocks: Block[] = [made.genesis];
  for (let number = 1; number <= 9; number += 1) {
    const tip = blocks.at(-1)!;
    const rejections = number === rejectedAt ? [{ signature: deploy.signature, carrier: new Uint8Array(32) }] : [];
    const deploys = number === 2 ? [deploy] : [];
    blocks.push(made.add({ creator: "a", parents: [tip], justifications: { a: tip }, deploys, rejections }));
  }
  const of = (number: number) => made.dag.require(blocks[number]!.hash);
  const facts = new BlockLineage({ find: (hash) => made.blockOf(hash) });
  return (change: Partial<F1r3nodePast> = {}) =>
    f1r3nodeAdmission(
      { dag: made.dag, facts },
      { parents: [of(9)], floor: of(6), number: 10n, timestamp: 100n, effects: new Set(), ...change },
    );
}

const entryOf = (one: Deploy) => poolEntryOf(one, 100);

describe("a deploy of the pool", () => {
  test("has a time to come in, by heights and by the clock", () => {
    const admission = chain()();
    const reasonOf = (change: Partial<Deploy>) => admission.timeReason(entryOf(testDeploy(9, change)));
    expect(reasonOf({ validAfterBlockNumber: 10n })).toBe("future");
    expect(reasonOf({ validAfterBlockNumber: 9n })).toBeUndefined();
    // The last final block is at height 6.
    expect(reasonOf({ validAfterBlockNumber: -44n })).toBe("expired");
    expect(reasonOf({ validAfterBlockNumber: -43n })).toBeUndefined();
    expect(reasonOf({ expirationTimestamp: 99n })).toBe("expired");
    expect(reasonOf({ expirationTimestamp: 100n })).toBeUndefined();
  });

  test("comes once, and again when what gave it up is final", () => {
    const [known, unknown] = [entryOf(deploy), entryOf(testDeploy(9))];
    const admittedOf = (admission: ReturnType<ReturnType<typeof chain>>) => [
      admission.isInScope(known),
      admission.isRetry(known),
    ];
    expect([chain()().isInScope(unknown), chain()().isRetry(unknown)]).toEqual([false, false]);
    expect(admittedOf(chain()())).toEqual([true, false]);
    expect(admittedOf(chain(7)())).toEqual([true, false]);
    expect(admittedOf(chain(6)())).toEqual([false, true]);
  });

  test("does not come where the state has its effect already", () => {
    const effects = new Set([hashKey(deploy.signature)]);
    expect(chain(6)({ effects }).isInScope(entryOf(deploy))).toBe(true);
  });
});
