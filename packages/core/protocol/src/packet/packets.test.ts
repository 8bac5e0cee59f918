import { fromHex, toHex } from "@vedette/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rnode } from "../dialect/rnode.js";
import { WireError } from "../wire/WireError.js";
import { f1r3nodePackets } from "./f1r3nodePackets.js";
import type { PacketType } from "./PacketContents.js";
import { decodePacket, encodePacket, packetTypes } from "./packetTypes.js";
import { rnodePackets } from "./rnodePackets.js";
import { decodeStoreNodeKey, encodeStoreNodeKey, unsignedIndex } from "./statePackets.js";

const names = Object.keys(packetTypes) as PacketType[];

describe("packets", () => {
  test("there are exactly these thirteen types, and four of the newer dialect", () => {
    expect([...f1r3nodePackets.types].sort()).toEqual(names.sort());
    expect(names.filter((name) => !rnodePackets.types.has(name))).toEqual([
      "FloorCacheRequest",
      "FloorCacheResponse",
      "MergeableEntryRequest",
      "MergeableEntryResponse",
    ]);
    expect([...rnodePackets.types].sort()).toEqual([
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
    expect(() => decodePacket("Hello", new Uint8Array(0), rnode.packetForm)).toThrow("Unrecognized typeId: Hello");
    expect(() => decodePacket("toString", new Uint8Array(0), rnode.packetForm)).toThrow(
      "Unrecognized typeId: toString",
    );
  });

  test("what only the other dialect has is refused with that reason", () => {
    expect(() => decodePacket("FloorCacheRequest", new Uint8Array(0), rnode.packetForm)).toThrow(
      "Unrecognized typeId: FloorCacheRequest (it is of another dialect than this network's)",
    );
    expect(decodePacket("FloorCacheRequest", new Uint8Array(0), f1r3nodePackets).message).toEqual({ hashes: [] });
  });

  test("content above the limit is refused unread", () => {
    expect(() => decodePacket("HasBlock", new Uint8Array(5000), rnode.packetForm)).toThrow(
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
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom(rnodePackets, f1r3nodePackets),
        content,
        (type, form, bytes) => {
          try {
            const packet = decodePacket(type, bytes, form);
            const written = encodePacket(packet.type, packet.message, form);
            expect(encodePacket(type, decodePacket(type, written, form).message, form)).toEqual(written);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("messages have these bytes", () => {
    const hash = fromHex("aabb");
    expect(toHex(encodePacket("HasBlock", { hash }))).toBe("0a02aabb");
    expect(toHex(encodePacket("BlockHashMessage", { hash, blockCreator: hash }))).toBe("0a02aabb1202aabb");
    expect(toHex(encodePacket("ApprovedBlockRequest", { identifier: "", trimState: true }))).toBe("1001");
    expect(toHex(encodePacket("ForkChoiceTipRequest", {}))).toBe("");
    expect(
      toHex(
        encodePacket(
          "StoreItemsMessageRequest",
          { startPath: [{ hash, index: undefined }], skip: 0, take: 750 },
          rnode.packetForm,
        ),
      ),
    ).toBe("0a070a02aabb10800218ee05");
  });

  test("f1r3node's own messages have these bytes", () => {
    const [hash, floor] = [fromHex("aabb"), fromHex("cc")];
    const entries = [{ blockHash: hash, floorHash: floor, frontierHash: floor }];
    expect(toHex(encodePacket("FloorCacheRequest", { hashes: [hash, floor] }))).toBe("0a02aabb0a01cc");
    expect(toHex(encodePacket("FloorCacheResponse", { entries }))).toBe("0a0a0a02aabb1201cc1a01cc");
    expect(toHex(encodePacket("MergeableEntryRequest", { blockHash: hash }))).toBe("0a02aabb");
    expect(toHex(encodePacket("MergeableEntryResponse", { blockHash: hash, serializedEntry: floor }))).toBe(
      "0a02aabb1201cc",
    );
    expect(toHex(encodePacket("MergeableEntryResponse", { blockHash: hash, serializedEntry: new Uint8Array(0) }))).toBe(
      "0a02aabb",
    );
  });

  test("f1r3node writes a byte of a path as it is; either way is read", () => {
    const element = { hash: fromHex("aaaaaaaa"), index: 0xff };
    expect(toHex(encodeStoreNodeKey(element, unsignedIndex))).toBe("0a04aaaaaaaa10ff01");
    expect(decodeStoreNodeKey(encodeStoreNodeKey(element, unsignedIndex))).toEqual(element);
    const startPath = [element];
    const request = { startPath, skip: 0, take: 1 };
    expect(toHex(encodePacket("StoreItemsMessageRequest", request, f1r3nodePackets))).toBe(
      "0a090a04aaaaaaaa10ff011801",
    );
    const page = { startPath, lastPath: startPath, historyItems: [], dataItems: [] };
    expect(
      decodePacket("StoreItemsMessage", encodePacket("StoreItemsMessage", page, f1r3nodePackets), rnode.packetForm)
        .message,
    ).toEqual(page);
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
