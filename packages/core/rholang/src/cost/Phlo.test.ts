import fc from "fast-check";
import { expect, test } from "vitest";
import { InterpreterError } from "../InterpreterError.js";
import { Phlo } from "./Phlo.js";

const wrap = (value: bigint) => BigInt.asIntN(64, value);

test("a charge that leaves exactly nothing is no failure", () => {
  const phlo = new Phlo(5n);
  phlo.charge(5);
  expect(phlo.left).toBe(0n);
  phlo.charge(0);
  expect(() => phlo.charge(1)).toThrow("Computation ran out of phlogistons.");
});

test("the charge that makes the balance negative is booked, and every later one, even a refund, is refused", () => {
  const phlo = new Phlo(6n);
  expect(() => phlo.charge(7)).toThrow(InterpreterError);
  expect(phlo.left).toBe(-1n);
  expect(() => phlo.charge(-100)).toThrow(InterpreterError);
  expect(() => phlo.charge(0)).toThrow(InterpreterError);
  expect(phlo.left).toBe(-1n);
  expect(phlo.used).toBe(7n);
});

test("the balance wraps around at 2^63 when phlo is given back beyond it", () => {
  const phlo = new Phlo(2n ** 63n - 1n);
  phlo.charge(10);
  phlo.charge(-10);
  expect(phlo.left).toBe(2n ** 63n - 1n);
  expect(() => phlo.charge(-1)).toThrow(InterpreterError);
  expect(phlo.left).toBe(-(2n ** 63n));
});

test("the balance equals plain 64-bit arithmetic for every limit and every sequence of charges", () => {
  const limits = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -10n, max: 2n ** 33n }),
    fc.bigInt({ min: 2n ** 50n - 2n ** 32n, max: 2n ** 51n + 2n ** 32n }),
    fc.bigInt({ min: 2n ** 63n - 2n ** 33n, max: 2n ** 63n - 1n }),
  );
  const charges = fc.array(fc.oneof(fc.integer(), fc.integer({ min: 0, max: 2 ** 51 })), { maxLength: 60 });
  fc.assert(
    fc.property(limits, charges, (limit, amounts) => {
      const phlo = new Phlo(limit);
      let left = limit;
      for (const amount of amounts) {
        let refused = left < 0n;
        if (!refused) {
          left = wrap(left - BigInt(amount));
          refused = left < 0n;
        }
        let thrown = false;
        try {
          phlo.charge(amount);
        } catch {
          thrown = true;
        }
        expect(thrown).toBe(refused);
        expect(phlo.left).toBe(left);
        expect(phlo.used).toBe(wrap(limit - left));
      }
    }),
  );
});
