import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GrpcError, grpcStatus } from "./GrpcError.js";
import { frameMessage, MessageReader } from "./MessageReader.js";

describe("messages of a gRPC call", () => {
  test("come out whole however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1 }),
        (messages, cuts) => {
          const bytes = Buffer.concat(messages.map(frameMessage));
          const reader = new MessageReader(64);
          const seen: Uint8Array[] = [];
          for (let start = 0, cut = 0; start < bytes.length; cut++) {
            const end = start + (cuts[cut % cuts.length] as number);
            seen.push(...reader.push(bytes.subarray(start, end)));
            start = end;
          }
          expect(seen.map((message) => [...message])).toEqual(messages.map((message) => [...message]));
          expect(reader.unfinished).toBe(false);
        },
      ),
    );
  });

  test("an announced length over the limit is refused before its bytes arrive", () => {
    const reader = new MessageReader(100);
    expect(() => reader.push(Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff))).toThrow(
      new GrpcError(grpcStatus.resourceExhausted, "gRPC message exceeds maximum size 100: 4294967295"),
    );
  });

  test("a compressed message is refused", () => {
    expect(() => new MessageReader(100).push(Uint8Array.of(1, 0, 0, 0, 0))).toThrow("Compressed messages");
  });

  test("a message that was cut off is seen as unfinished", () => {
    const reader = new MessageReader(100);
    expect(reader.push(Uint8Array.of(0, 0, 0, 0, 5, 1, 2))).toEqual([]);
    expect(reader.unfinished).toBe(true);
  });
});
