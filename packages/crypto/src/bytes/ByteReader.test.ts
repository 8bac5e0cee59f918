import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader } from "./ByteReader.js";
import { ByteWriter } from "./ByteWriter.js";
import { fromHex, toHex } from "./hex.js";

const i32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test("what is written is read again", () => {
  const record = fc.record({
    small: fc.nat(255),
    medium: fc.nat(65_535),
    number: i32,
    long: i64,
    count: fc.maxSafeNat(),
    part: fc.uint8Array({ maxLength: 300 }),
  });
  fc.assert(
    fc.property(record, ({ small, medium, number, long, count, part }) => {
      const writer = new ByteWriter(1)
        .u8(small)
        .u16(medium)
        .u32(number >>> 0)
        .i32(number)
        .i64(long);
      writer.i32LittleEndian(number).i64LittleEndian(long).varint(count).varint64(long);
      const bytes = writer.lengthPrefixed(part).bytes(part).finish();
      expect(writer.length).toBe(bytes.length);
      const reader = new ByteReader(bytes);
      expect([reader.u8(), reader.u16(), reader.u32(), reader.i32()]).toEqual([small, medium, number >>> 0, number]);
      expect([reader.i64(), reader.i32LittleEndian(), reader.i64LittleEndian()]).toEqual([long, number, long]);
      expect([reader.varint(), reader.varint64()]).toEqual([count, long]);
      expect([reader.lengthPrefixed(), reader.bytes(part.length)]).toEqual([part, part]);
      expect(reader.left).toBe(0);
      reader.expectEnd();
    }),
  );
});

test("numbers are big-endian, and a negative varint has 10 bytes", () => {
  expect(toHex(new ByteWriter().i64(-2n).i32(258).finish())).toBe("fffffffffffffffe00000102");
  expect(toHex(new ByteWriter().varint(300).varint64(-1n).finish())).toBe("ac02ffffffffffffffffff01");
  expect(toHex(new ByteWriter().lengthPrefixed(Uint8Array.of(7)).finish())).toBe("000000000000000107");
});

test("a writer that was cleared starts anew", () => {
  const writer = new ByteWriter().u8(1);
  const first = writer.finish();
  writer.clear();
  writer.u8(2);
  expect([first, writer.finish()]).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
});

test("reading never goes beyond the end", () => {
  const read = (hex: string, use: (reader: ByteReader) => unknown) => () => use(new ByteReader(fromHex(hex)));
  expect(read("0102", (reader) => reader.i32())).toThrowErrorMatchingInlineSnapshot(
    `[BytesError: Data ended: 4 bytes wanted at byte 0 of 2]`,
  );
  expect(read("ffffffff", (reader) => reader.bytes(reader.u32()))).toThrow("4294967295 bytes wanted at byte 4 of 4");
  expect(read("00", (reader) => reader.bytes(-1))).toThrow("-1 bytes wanted");
  expect(read("80", (reader) => reader.varint())).toThrow("Data ended");
  expect(read("ff".repeat(10), (reader) => reader.varint64())).toThrowErrorMatchingInlineSnapshot(
    `[BytesError: A variable-length number at byte 0 is longer than 10 bytes]`,
  );
  expect(read("8080808080808010", (reader) => reader.varint())).toThrowErrorMatchingInlineSnapshot(
    `[BytesError: The number at byte 0 does not fit]`,
  );
  expect(read("0100000000000000", (reader) => reader.lengthPrefixed())).toThrow("does not fit");
  expect(read("0000", (reader) => [reader.u8(), reader.expectEnd()])).toThrowErrorMatchingInlineSnapshot(
    `[BytesError: Data goes on after its end: byte 1 of 2]`,
  );
});
