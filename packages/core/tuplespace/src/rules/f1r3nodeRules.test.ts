import { CommEvent, ConsumeEvent, equalComms, ProduceEvent } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { f1r3nodeRules } from "./f1r3nodeRules.js";

const at = (value: number): Uint8Array => new Uint8Array(32).fill(value);
const one = new ProduceEvent(at(1), at(9), false);
const two = new ProduceEvent(at(2), at(3), true);
const waiting = new ConsumeEvent([at(1), at(2)], at(7), false);

describe("a COMM for replay", () => {
  test("stays the same object when it is in order", () => {
    const event = new CommEvent(waiting, [one, two], [1, 0], [0, 2]);
    expect(f1r3nodeRules.commForReplay(event)).toBe(event);
  });

  test("keeps its produces in order, each with its last count, and peeks as a set", () => {
    const event = new CommEvent(waiting, [two, one, two], [4, 5, 6], [2, 0, 2]);
    const expected = new CommEvent(waiting, [one, two, two], [5, 6, 6], [0, 2]);
    expect(equalComms(f1r3nodeRules.commForReplay(event), expected)).toBe(true);
  });
});
