import { testGenesis } from "@vedette/chain/testing";
import { equalBytes, toHex } from "@vedette/crypto";
import {
  Block,
  type CasperMessage,
  checkBlockSignature,
  checkDeploySignatures,
  decodePacket,
  encodeBlock,
  encodePacket,
  findPacketType,
  hashBlock,
  type PacketType,
  packetTypes,
  rnodeRust,
  rnodeScala,
  WireError,
} from "@vedette/protocol";
import { must, refusedAs, type Target } from "../driver/Target.js";
import { exampleBlock } from "./wireExamples.js";

const types = Object.keys(packetTypes) as PacketType[];

/** A byte for the type, then the content. */
export const packets: Target = {
  name: "packets",
  about: "the content of a packet of any type is a message that stays the same when it is written, or a WireError",
  cost: "cheap",
  files: [
    "protocol/packet/",
    "protocol/block/",
    "protocol/deploy/",
    "protocol/event/",
    "protocol/genesis/",
    "protocol/wire/",
  ],
  mostBytes: 1_500,
  *seeds() {
    for (const [index, type] of types.entries()) {
      yield Uint8Array.of(index);
      const message = exampleOf(type);
      if (message !== undefined) yield Uint8Array.from([index, ...encodePacket(type, message as never)]);
    }
  },
  run(input) {
    const type = types[(input[0] ?? 0) % types.length]!;
    must(findPacketType(type) === type, "a type is found by its name");
    let packet: CasperMessage;
    try {
      packet = decodePacket(type, input.subarray(1));
    } catch (error) {
      refusedAs(error, WireError);
      return;
    }
    if (packet.type === "BlockMessage") checkBlock(packet.message, input.subarray(1));
    const written = encodePacket(packet.type, packet.message as never);
    const again = decodePacket(type, written);
    must(equalBytes(encodePacket(again.type, again.message as never), written), "a message stays the same");
  },
  show: (input) => `${types[(input[0] ?? 0) % types.length]} ${toHex(input.subarray(1))}`,
};

function checkBlock(block: Block, received: Uint8Array): void {
  const written = encodeBlock(new Block(block));
  const isCanonical = equalBytes(written, received);
  must((block.cachedEncoding !== undefined) === isCanonical, "bytes are kept where they are the canonical ones");
  for (const dialect of [rnodeScala, rnodeRust]) {
    const hash = hashBlock(block, dialect);
    must(equalBytes(hashBlock(new Block(block), dialect), hash), "a block has one hash, whatever of it is cached");
  }
  checkBlockSignature(block);
  try {
    checkDeploySignatures(block);
  } catch (error) {
    refusedAs(error, WireError);
  }
}

function exampleOf(type: PacketType): object | undefined {
  const { hash } = testGenesis({ v1: 1 });
  const candidate = { block: exampleBlock(), requiredSignatures: 2 };
  const signature = { publicKey: hash, algorithm: "secp256k1", signature: hash };
  const path = [
    { hash, index: undefined },
    { hash, index: 7 },
  ];
  switch (type) {
    case "BlockMessage":
      return exampleBlock();
    case "BlockHashMessage":
      return { hash, blockCreator: hash };
    case "ApprovedBlock":
      return { candidate, signatures: [signature] };
    case "UnapprovedBlock":
      return { candidate, timestamp: 5n, durationMs: 7n };
    case "BlockApproval":
      return { candidate, signature };
    case "StoreItemsMessage":
      return { startPath: path, lastPath: path, historyItems: [{ key: hash, value: hash }], dataItems: [] };
    case "StoreItemsMessageRequest":
      return { startPath: path, skip: 1, take: 750 };
    case "ApprovedBlockRequest":
      return { identifier: "", trimState: true };
    case "NoApprovedBlockAvailable":
      return { identifier: "x", nodeIdentifier: "y" };
    case "ForkChoiceTipRequest":
      return {};
    default:
      return { hash };
  }
}
