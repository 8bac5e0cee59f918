import { expect, test } from "vitest";
import { ByteWriter } from "./ByteWriter.js";
import { toHex } from "./hex.js";

test("varints have seven bits a byte, a negative one has 10 bytes", () => {
  expect(toHex(new ByteWriter().varint(0).varint(127).varint(300).finish())).toBe("007fac02");
  expect(toHex(new ByteWriter().varint(Number.MAX_SAFE_INTEGER).finish())).toBe("ffffffffffffff0f");
  expect(toHex(new ByteWriter().varint64(300n).varint64(-1n).finish())).toBe("ac02ffffffffffffffffff01");
});

test("the buffer grows with what is written", () => {
  const part = new Uint8Array(300).fill(7);
  const writer = new ByteWriter(1).u8(1).bytes(part);
  expect(writer.finish()).toEqual(Uint8Array.of(1, ...part));
});
