import { emptyBytes } from "@vedette/crypto";
import type { FloorSeed } from "../genesis/FloorSeed.js";
import { alwaysPresent } from "../wire/Presence.js";
import type { ProtoReader } from "../wire/ProtoReader.js";
import type { ProtoWriter } from "../wire/ProtoWriter.js";
import type { BlockCodec, Draft } from "./BlockCodec.js";

/** Blocks of f1r3node. @spec 61 §1.2 */
export const f1r3nodeForm: BlockCodec = {
  presence: alwaysPresent,
  deploy: {
    write: (writer, deploy) => writer.int64Field(0x68, deploy.expirationTimestamp ?? 0n),
    read(reader, tag, end, draft) {
      if (tag === 0x68) setUnless(draft, "expirationTimestamp", reader.int64Field(), 0n);
      else reader.skip(tag, end);
    },
  },
  slash: {
    write: (writer, slash) => writer.int64Field(0x18, slash.targetActivationEpoch ?? 0n),
    read(reader, tag, end, draft) {
      if (tag === 0x18) setUnless(draft, "targetActivationEpoch", reader.int64Field(), 0n);
      else reader.skip(tag, end);
    },
  },
  body: {
    write(writer, body) {
      for (const signature of body.appliedFromScope ?? []) writer.bytesElement(0x32, signature);
      writer.bytesField(0x3a, body.mergeBase ?? emptyBytes);
    },
    read(reader, tag, end, draft) {
      if (tag === 0x32) draft.appliedFromScope = extended(draft.appliedFromScope, reader.bytesElement(end));
      else if (tag === 0x3a) setUnless(draft, "mergeBase", nonEmpty(reader.bytesField(end)), undefined);
      else reader.skip(tag, end);
    },
  },
  rejectedDeploy: {
    write(writer, rejected) {
      writer.boolField(0x10, rejected.duplicate ?? false);
      writer.bytesField(0x1a, rejected.carrier ?? emptyBytes);
    },
    read(reader, tag, end, draft) {
      if (tag === 0x10) setUnless(draft, "duplicate", reader.boolField(), false);
      else if (tag === 0x1a) setUnless(draft, "carrier", nonEmpty(reader.bytesField(end)), undefined);
      else reader.skip(tag, end);
    },
  },
  approvedBlock: {
    write(writer, { floorSeed }) {
      if (floorSeed !== undefined) writeFloorSeed(writer, floorSeed);
    },
    read(reader, tag, end, draft) {
      if (tag === 0x1a) draft.floorSeed = readFloorSeed(reader, reader.end(end), draft.floorSeed);
      else reader.skip(tag, end);
    },
  },
};

/** Sets a field, or takes it away where it came with its default: absent and default are the same. */
function setUnless<Message extends object, Key extends keyof Message>(
  draft: Message,
  key: Key,
  value: Message[Key] | undefined,
  usual: unknown,
): void {
  if (value === undefined || value === usual) Reflect.deleteProperty(draft, key);
  else draft[key] = value;
}

function nonEmpty(bytes: Uint8Array): Uint8Array | undefined {
  return bytes.length === 0 ? undefined : bytes;
}

/** The list that a reader has begun a moment ago, one element longer. */
function extended(list: readonly Uint8Array[] | undefined, element: Uint8Array): readonly Uint8Array[] {
  if (list === undefined) return [element];
  (list as Uint8Array[]).push(element);
  return list;
}

function writeFloorSeed(writer: ProtoWriter, seed: FloorSeed): void {
  const start = writer.begin(0x1a);
  writer.bytesField(0x0a, seed.floorHash);
  writer.int64Field(0x10, seed.floorNumber);
  writer.bytesField(0x1a, seed.frontierHash);
  writer.int64Field(0x20, seed.frontierNumber);
  writer.finishMember(start);
}

const emptySeed: FloorSeed = { floorHash: emptyBytes, floorNumber: 0n, frontierHash: emptyBytes, frontierNumber: 0n };

/** @param before the same field came already; protobuf merges the two */
function readFloorSeed(reader: ProtoReader, end: number, before: FloorSeed = emptySeed): FloorSeed {
  const seed: Draft<FloorSeed> = { ...before };
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) seed.floorHash = reader.bytesField(end);
    else if (tag === 0x10) seed.floorNumber = reader.int64Field();
    else if (tag === 0x1a) seed.frontierHash = reader.bytesField(end);
    else if (tag === 0x20) seed.frontierNumber = reader.int64Field();
    else reader.skip(tag, end);
  }
  reader.close(end);
  return seed;
}
