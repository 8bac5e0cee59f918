import { fromHex, toHex } from "@vedette/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WireError } from "../wire/WireError.js";
import { decodePacket, encodePacket, type PacketType, packetTypes } from "./packetTypes.js";
import { decodeStoreNodeKey, encodeStoreNodeKey } from "./statePackets.js";

const names = Object.keys(packetTypes) as PacketType[];

describe("packets", () => {
  test("there are exactly these thirteen types", () => {
    expect(names.sort()).toEqual([
      "ApprovedBlock",
      "ApprovedBlockRequest",
      "BlockApproval",
      "BlockHashMessage",
      "BlockMessage",
      "BlockRequest",
      "ForkChoiceTipRequest",
      "HasBlock",
      "HasBlockRequest",
      "NoApprovedBlockAvailable",
      "StoreItemsMessage",
      "StoreItemsMessageRequest",
      "UnapprovedBlock",
    ]);
  });

  test("another type is refused, also the name of something that every object has", () => {
    expect(() => decodePacket("Hello", new Uint8Array(0))).toThrow("Unrecognized typeId: Hello");
    expect(() => decodePacket("toString", new Uint8Array(0))).toThrow("Unrecognized typeId: toString");
  });

  test("content above the limit is refused unread", () => {
    expect(() => decodePacket("HasBlock", new Uint8Array(5000))).toThrow(
      "HasBlock of 5000 bytes is larger than the limit of 4096 bytes",
    );
  });

  test("any content is a message or a WireError, and what was understood is written and read again", () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .array(fc.constantFrom(0x0a, 0x12, 0x1a, 0x22, 0x10, 0x18, 0, 1, 2, 4, 8, 0x80, 0xff), { maxLength: 30 })
        .map((bytes) => Uint8Array.from(bytes)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), content, (type, bytes) => {
        try {
          const packet = decodePacket(type, bytes);
          const written = encodePacket(packet.type, packet.message);
          expect(encodePacket(type, decodePacket(type, written).message)).toEqual(written);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: 20000 },
    );
  });

  test("messages have these bytes", () => {
    const hash = fromHex("aabb");
    expect(toHex(encodePacket("HasBlock", { hash }))).toBe("0a02aabb");
    expect(toHex(encodePacket("BlockHashMessage", { hash, blockCreator: hash }))).toBe("0a02aabb1202aabb");
    expect(toHex(encodePacket("ApprovedBlockRequest", { identifier: "", trimState: true }))).toBe("1001");
    expect(toHex(encodePacket("ForkChoiceTipRequest", {}))).toBe("");
    expect(
      toHex(encodePacket("StoreItemsMessageRequest", { startPath: [{ hash, index: undefined }], skip: 0, take: 750 })),
    ).toBe("0a070a02aabb10800218ee05");
  });

  test.each([
    [undefined, "0a04aaaaaaaa108002"],
    [5, "0a04aaaaaaaa1005"],
    [0, "0a04aaaaaaaa"],
    [0xff, "0a04aaaaaaaa10ffffffffffffffffff01"],
  ])("a path element with index %s", (index, hex) => {
    const element = { hash: fromHex("aaaaaaaa"), index };
    expect(toHex(encodeStoreNodeKey(element))).toBe(hex);
    expect(decodeStoreNodeKey(fromHex(hex))).toEqual(element);
  });
});
