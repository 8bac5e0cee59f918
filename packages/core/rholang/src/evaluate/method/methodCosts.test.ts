import { SplittableRandom } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { matchDatum } from "../../match/matchPar.js";
import { evaluate } from "../evaluate.js";
import { methodCosts } from "./methodCosts.js";
import { methodTable } from "./methodTable.js";

/** Returns the charges of an evaluation for a call, after the price of the text and of the send around it. */
function chargesOf(call: string): number[] {
  const amounts: number[] = [];
  const result = evaluate({
    program: { source: `@0!(${call})`, environment: new Map() },
    space: new PlaySpace(memoryStateStore(), matchDatum, emptyRoot),
    phloLimit: 100_000n,
    random: SplittableRandom.fromSeed(new Uint8Array(0)),
    mergeableTag: nil,
    replay: false,
    trace: { charged: (amount) => amounts.push(amount) },
  });
  if (result.kind !== "evaluated" || result.errors.length > 0) throw new Error(call);
  // The text, the send, and the size of its channel come first.
  return amounts.slice(3);
}

test("every method has its cost", () => {
  expect([...methodCosts.keys()].sort()).toEqual([...methodTable.keys()].sort());
});

test.each([
  ["nth", "[1,2].nth(1)", [20]],
  ["hexToBytes", '"00ff".hexToBytes()', [10, 4]],
  ["bytesToHex", '"00ff".hexToBytes().bytesToHex()', [10, 2]],
  ["toUtf8Bytes", '"abc".toUtf8Bytes()', [10, 3]],
  ["union", "Set(1).union(Set(2,3))", [10, 6]],
  ["diff", "Set(1).diff(Set(2,3))", [10, 6]],
  ["add", "Set(1).add(2)", [13]],
  ["delete", "Set(1).delete(1)", [13]],
  ["contains", "Set(1).contains(1)", [13]],
  ["get", "{1:2}.get(1)", [13]],
  ["getOrElse", "{1:2}.getOrElse(1,2)", [13]],
  ["set", "{1:2}.set(1,2)", [13]],
  ["keys", "{1:2}.keys()", [20]],
  ["size", "Set(1,2,3).size()", [10, 3]],
  ["length", '"abc".length()', [20]],
  ["slice", '"abcd".slice(1,3)', [10, 3]],
  ["take", "[1,2,3].take(2)", [10, 2]],
  ["toList", "(1,2,3).toList()", [10, 3]],
])("a call of %s is charged as documented", (method, call, documented) => {
  const charged = chargesOf(call);
  const [first, second] = documented as number[];
  expect(methodCosts.get(method)).toContain(`${first} phlo`);
  if (second === undefined) expect(charged.slice(0, 2).reduce((sum, one) => sum + one, 0)).toBe(first);
  else expect(charged).toEqual(expect.arrayContaining([10, second]));
});
