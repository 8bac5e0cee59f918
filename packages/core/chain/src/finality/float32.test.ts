import fc from "fast-check";
import { expect, test } from "vitest";
import { float32 } from "./float32.js";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** How far a float is from a number, exactly. */
function distance(float: number, value: bigint): bigint {
  const difference = BigInt(float) - value;
  return difference < 0n ? -difference : difference;
}

/** The floats beside a whole one. */
function neighbours(float: number): readonly number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, float);
  const bits = view.getInt32(0);
  return [bits - 1, bits + 1].map((other) => {
    view.setInt32(0, other);
    return view.getFloat32(0);
  });
}

test("no other 32-bit float is nearer to a stake", () => {
  fc.assert(
    fc.property(int64, (value) => {
      const nearest = float32(value);
      expect(Math.fround(nearest)).toBe(nearest);
      if (value > -2n && value < 2n) return;
      for (const other of neighbours(nearest))
        if (Number.isInteger(other)) expect(distance(nearest, value) <= distance(other, value)).toBe(true);
    }),
  );
});

test("a stake just above the middle of two floats is rounded up, though as a 64-bit float it lies in the middle", () => {
  const middle = 2n ** 62n + 2n ** 38n;
  expect(Math.fround(Number(middle + 1n))).toBe(2 ** 62);
  expect(float32(middle + 1n)).toBe(2 ** 62 + 2 ** 39);
  expect(float32(-middle - 1n)).toBe(-(2 ** 62 + 2 ** 39));
  expect(float32(middle)).toBe(2 ** 62);
});
