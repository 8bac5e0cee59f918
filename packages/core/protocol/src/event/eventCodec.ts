import { emptyBytes } from "@vedette/crypto";
import { absentWhenEmpty, type Presence } from "../wire/Presence.js";
import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";
import { WireError } from "../wire/WireError.js";
import { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "./Event.js";
import { twoHashes } from "./EventTable.js";

const noBytes: readonly Uint8Array[] = [];
const noNumbers: readonly number[] = [];

/** The protobuf bytes of one event (EventProto). @spec 30 §3.3 */
export function encodeEvent(event: Event): Uint8Array {
  const writer = new ProtoWriter();
  writeEvent(writer, event, absentWhenEmpty);
  return writer.finish();
}

/** Reads one EventProto. @spec 30 §3.3 @throws {WireError} */
export function decodeEvent(bytes: Uint8Array): Event {
  const reader = new ProtoReader(bytes);
  return readEvent(reader, bytes.length, absentWhenEmpty);
}

/** Writes an event's fields, without a tag and a length of its own. */
export function writeEvent(writer: ProtoWriter, event: Event, presence: Presence): void {
  switch (event.kind) {
    case "produce": {
      const start = writer.begin(0x0a);
      writeProduce(writer, event, event.wireTimesRepeated);
      writer.finishMember(start);
      return;
    }
    case "consume": {
      const start = writer.begin(0x12);
      writeConsume(writer, event);
      writer.finishMember(start);
      return;
    }
    case "comm": {
      const start = writer.begin(0x1a);
      writeComm(writer, event, presence);
      writer.finishMember(start);
      return;
    }
  }
}

function writeProduce(writer: ProtoWriter, event: ProduceEvent, timesRepeated: number): void {
  writer.bytesField(0x0a, event.channelsHash);
  writer.bytesField(0x12, event.hash);
  writer.boolField(0x18, event.persistent);
  writer.int32Field(0x20, timesRepeated);
  writer.boolField(0x28, event.isDeterministic);
  const outputs = event.outputValue;
  for (let i = 0; i < outputs.length; i += 1) writer.bytesElement(0x32, outputs[i]!);
  writer.boolField(0x38, event.failed);
}

function writeConsume(writer: ProtoWriter, event: ConsumeEvent): void {
  const channels = event.channelsHashes;
  for (let i = 0; i < channels.length; i += 1) writer.bytesElement(0x0a, channels[i]!);
  writer.bytesField(0x12, event.hash);
  writer.boolField(0x18, event.persistent);
}

function writeComm(writer: ProtoWriter, event: CommEvent, presence: Presence): void {
  const consume = writer.begin(0x0a);
  writeConsume(writer, event.consume);
  presence.finish(writer, consume);
  for (let i = 0; i < event.produces.length; i += 1) {
    const produce = writer.begin(0x12);
    writeProduce(writer, event.produces[i]!, event.timesRepeated[i]!);
    writer.finishMember(produce);
  }
  for (let i = 0; i < event.peeks.length; i += 1) {
    const peek = writer.begin(0x1a);
    writer.int32Field(0x08, event.peeks[i]!);
    writer.finishMember(peek);
  }
}

/** Reads an event's fields up to `end`. @throws {WireError} also when no variant is set */
export function readEvent(reader: ProtoReader, end: number, presence: Presence): Event {
  let event: Event | undefined;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    // Only one member of a oneof is ever written.
    if (last !== 0) reader.canonical = false;
    last = tag;
    switch (tag) {
      case 0x0a:
        event = produceOf(reader, reader.end(end), event?.kind === "produce" ? event : undefined);
        break;
      case 0x12:
        event = consumeOf(reader, reader.end(end), event?.kind === "consume" ? event : undefined);
        break;
      case 0x1a:
        event = readComm(reader, reader.end(end), presence, event?.kind === "comm" ? event : undefined);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  if (event === undefined) throw new WireError({ code: "emptyEvent", offset: end });
  return event;
}

/** A list that this decoder made itself a moment ago: merging goes on in it, as copies would cost a square. */
function mutable<T>(list: readonly T[]): T[] {
  return list as T[];
}

/** Events that were put together from several fields: theirs alone are the lists that they hold. */
const mergedEvents = new WeakSet<ProduceEvent | ConsumeEvent>();

function merged<Merged extends ProduceEvent | ConsumeEvent>(event: Merged): Merged {
  mergedEvents.add(event);
  return event;
}

/** A list of an event to go on in. An event that was not merged before may serve elsewhere too. */
function listToExtend<T>(event: ProduceEvent | ConsumeEvent, list: readonly T[]): T[] {
  return mergedEvents.has(event) ? mutable(list) : list.slice();
}

function produceOf(reader: ProtoReader, end: number, before: ProduceEvent | undefined): ProduceEvent {
  if (before !== undefined) return merged(readProduce(reader, end, before, undefined));
  const { bytes, offset, events } = reader;
  if (events === undefined) return readProduce(reader, end, undefined, undefined);
  const known = events.findProduce(bytes, offset, end);
  const produce = readProduce(reader, end, undefined, known);
  if (known === undefined) events.keepProduce(bytes, offset, end, produce);
  return produce;
}

/** A consume that was read before serves again, unless the field came already and the two are to be merged. */
function consumeOf(reader: ProtoReader, end: number, before: ConsumeEvent | undefined): ConsumeEvent {
  if (before !== undefined) return merged(readConsume(reader, end, before));
  const { bytes, offset, events } = reader;
  const known = events?.findConsume(bytes, offset, end);
  if (known !== undefined) {
    reader.offset = end;
    return known;
  }
  const consume = readConsume(reader, end, undefined);
  events?.keepConsume(bytes, offset, end, consume);
  return consume;
}

/**
 * @param before the same field came already; protobuf merges the two
 * @param like a produce with a message that begins with the same two hashes
 */
function readProduce(
  reader: ProtoReader,
  end: number,
  before: ProduceEvent | undefined,
  like: ProduceEvent | undefined,
): ProduceEvent {
  let channelsHash = (before ?? like)?.channelsHash ?? emptyBytes;
  let hash = (before ?? like)?.hash ?? emptyBytes;
  let persistent = before?.persistent ?? false;
  let timesRepeated = before?.wireTimesRepeated ?? 0;
  let isDeterministic = before?.isDeterministic ?? false;
  let failed = before?.failed ?? false;
  let outputs =
    before === undefined || before.outputValue === noBytes ? undefined : listToExtend(before, before.outputValue);
  let last = 0;
  if (like !== undefined) {
    reader.offset += twoHashes;
    last = 0x12;
  }
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 6);
    last = tag;
    switch (tag) {
      case 0x0a:
        channelsHash = reader.bytesField(end);
        break;
      case 0x12:
        hash = reader.bytesField(end);
        break;
      case 0x18:
        persistent = reader.boolField();
        break;
      case 0x20:
        timesRepeated = reader.int32Field();
        break;
      case 0x28:
        isDeterministic = reader.boolField();
        break;
      case 0x32:
        (outputs ??= []).push(reader.bytesElement(end));
        break;
      case 0x38:
        failed = reader.boolField();
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  const read = new ProduceEvent(
    channelsHash,
    hash,
    persistent,
    isDeterministic,
    outputs ?? noBytes,
    failed,
    timesRepeated,
  );
  // A field that came a second time has changed what began alike.
  if (like !== undefined && hash === like.hash) read.shareKey(like);
  return read;
}

function readConsume(reader: ProtoReader, end: number, before: ConsumeEvent | undefined): ConsumeEvent {
  let channelsHashes = before === undefined ? undefined : listToExtend(before, before.channelsHashes);
  let hash = before?.hash ?? emptyBytes;
  let persistent = before?.persistent ?? false;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 1);
    last = tag;
    switch (tag) {
      case 0x0a:
        channelsHashes = appended(channelsHashes, reader.bytesElement(end));
        break;
      case 0x12:
        hash = reader.bytesField(end);
        break;
      case 0x18:
        persistent = reader.boolField();
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  return new ConsumeEvent(channelsHashes ?? [], hash, persistent);
}

const noConsume = new ConsumeEvent(noBytes, emptyBytes, false);

function readComm(reader: ProtoReader, end: number, presence: Presence, before: CommEvent | undefined): CommEvent {
  let consume = before?.consume;
  let produces: ProduceEvent[] | undefined = before === undefined ? undefined : mutable(before.produces);
  let timesRepeated: number[] | undefined = before === undefined ? undefined : mutable(before.timesRepeated);
  let peeks: number[] | undefined =
    before === undefined || before.peeks === noNumbers ? undefined : mutable(before.peeks);
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, (1 << 2) | (1 << 3));
    last = tag;
    switch (tag) {
      case 0x0a:
        consume = consumeOf(reader, presence.end(reader, end), consume);
        break;
      case 0x12: {
        const produce = produceOf(reader, reader.end(end), undefined);
        produces = appended(produces, produce);
        timesRepeated = appended(timesRepeated, produce.wireTimesRepeated);
        break;
      }
      case 0x1a:
        peeks = appended(peeks, readPeek(reader, reader.end(end)));
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  presence.check(consume, "consume");
  return new CommEvent(consume ?? noConsume, produces ?? [], timesRepeated ?? [], peeks ?? noNumbers);
}

/** Nearly all lists have one element, and one that begins empty takes room for 17. */
function appended<T>(list: T[] | undefined, element: T): T[] {
  if (list === undefined) return [element];
  list.push(element);
  return list;
}

function readPeek(reader: ProtoReader, end: number): number {
  let channelIndex = 0;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x08) channelIndex = reader.int32Field();
    else reader.skip(tag, end);
  }
  reader.close(end);
  return channelIndex;
}
