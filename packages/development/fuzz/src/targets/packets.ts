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
  f1r3node,
  findPacketType,
  hashBlock,
  type PacketCodec,
  type PacketType,
  packetTypes,
  rnode,
  WireError,
} from "@vedette/protocol";
import { must, refusedAs, type Target } from "../driver/Target.js";
import { exampleBlock } from "./wireExamples.js";

const types = Object.keys(packetTypes) as PacketType[];
const dialects = [rnode, f1r3node];

/** A byte for the type and the dialect, then the content. */
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
  maxBytes: 1_500,
  *seeds() {
    for (let index = 0; index < types.length * dialects.length; index += 1) {
      const { type, form } = choiceOf(index);
      yield Uint8Array.of(index);
      const message = exampleOf(type);
      if (message !== undefined) yield Uint8Array.from([index, ...encodePacket(type, message as never, form)]);
    }
  },
  run(input) {
    const { type, form } = choiceOf(input[0]);
    must(findPacketType(type, form) === (form.types.has(type) ? type : undefined), "a type is found by its name");
    let packet: CasperMessage;
    try {
      packet = decodePacket(type, input.subarray(1), form);
    } catch (error) {
      refusedAs(error, WireError);
      return;
    }
    if (packet.type === "BlockMessage") checkBlock(packet.message, input.subarray(1));
    const written = encodePacket(packet.type, packet.message as never, form);
    const again = decodePacket(type, written, form);
    must(equalBytes(encodePacket(again.type, again.message as never, form), written), "a message stays the same");
  },
  show(input) {
    const { type, name } = choiceOf(input[0]);
    return `${type} (${name}) ${toHex(input.subarray(1))}`;
  },
};

function choiceOf(index = 0): { readonly type: PacketType; readonly form: PacketCodec; readonly name: string } {
  const { packetForm: form, name } = dialects[Math.floor(index / types.length) % dialects.length]!;
  return { type: types[index % types.length]!, form, name };
}

function checkBlock(block: Block, received: Uint8Array): void {
  const written = encodeBlock(new Block(block));
  const isCanonical = equalBytes(written, received);
  must((block.cachedEncoding !== undefined) === isCanonical, "bytes are kept where they are the canonical ones");
  for (const dialect of [rnode, f1r3node]) {
    const hash = hashBlock(block, dialect);
    must(equalBytes(hashBlock(new Block(block), dialect), hash), "a block has one hash, whatever of it is cached");
  }
  for (const dialect of [rnode, f1r3node]) {
    checkBlockSignature(block, dialect);
    try {
      checkDeploySignatures(block, dialect);
    } catch (error) {
      refusedAs(error, WireError);
    }
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
    case "FloorCacheRequest":
      return { hashes: [hash, hash] };
    case "FloorCacheResponse":
      return { entries: [{ blockHash: hash, floorHash: hash, frontierHash: hash }] };
    case "MergeableEntryRequest":
      return { blockHash: hash };
    case "MergeableEntryResponse":
      return { blockHash: hash, serializedEntry: hash };
    default:
      return { hash };
  }
}
