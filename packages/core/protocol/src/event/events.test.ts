import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventProtoSchema } from "../generated/casper/block_pb.js";
import { absentWhenEmpty } from "../wire/Presence.js";
import { ProtoReader } from "../wire/ProtoReader.js";
import { WireError } from "../wire/WireError.js";
import { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "./Event.js";
import { EventTable } from "./EventTable.js";
import { decodeEvent, encodeEvent, readEvent } from "./eventCodec.js";
import { hashKey } from "./hashKey.js";
import { commForReplay, equalComms } from "./order.js";

const hash = fc.uint8Array({ minLength: 0, maxLength: 33 });
const int32 = fc.oneof(fc.constant(0), fc.integer());
const produce = fc
  .tuple(hash, hash, fc.boolean(), fc.boolean(), fc.array(hash, { maxLength: 3 }), fc.boolean(), int32)
  .map(([channel, own, persistent, deterministic, outputs, failed, times]) => {
    return new ProduceEvent(channel, own, persistent, deterministic, outputs, failed, times);
  });
const consume = fc
  .tuple(fc.array(hash, { maxLength: 3 }), hash, fc.boolean())
  .map(([channels, own, persistent]) => new ConsumeEvent(channels, own, persistent));
const comm = fc
  .tuple(consume, fc.array(produce, { maxLength: 4 }), fc.array(int32, { maxLength: 3 }))
  .map(([consumed, produces, peeks]) => {
    return new CommEvent(
      consumed,
      produces,
      produces.map((event) => event.wireTimesRepeated),
      peeks,
    );
  });
const anyEvent: fc.Arbitrary<Event> = fc.oneof(produce, consume, comm);

describe("event codec", () => {
  test("what is written is read back, and is known as canonical", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const bytes = encodeEvent(event);
        const reader = new ProtoReader(bytes);
        expect(encodeEvent(readEvent(reader, bytes.length, absentWhenEmpty))).toEqual(bytes);
        expect(reader.canonical).toBe(true);
      }),
    );
  });

  test("an independent protobuf implementation writes the same bytes", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const bytes = encodeEvent(event);
        const known = fromBinary(EventProtoSchema, bytes);
        // That implementation writes an empty singular sub-message, which rnode leaves out.
        const emptyConsume =
          event.kind === "comm" && known.eventInstance.case === "comm" && !known.eventInstance.value.consume;
        if (!emptyConsume) expect(toBinary(EventProtoSchema, known)).toEqual(bytes);
      }),
    );
  });

  test("damaged bytes are a WireError or another event; canonical bytes are always written again", () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(anyEvent, damage, fc.nat(40), (event, changes, cut) => {
        const bytes = encodeEvent(event).slice();
        for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
        const damaged = cut < 30 ? bytes : bytes.subarray(0, bytes.length - (cut - 30));
        checkAgreement(damaged);
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  test("random short bytes never crash the decoder", () => {
    const byte = fc.oneof(fc.constantFrom(0x0a, 0x12, 0x1a, 0x18, 0x20, 0x28, 0x80, 0x81, 0xff, 1, 0, 2), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 30 }), (bytes) => checkAgreement(Uint8Array.from(bytes))),
      { numRuns: runs(500, 6_000) },
    );
  });

  test("events that share their hashes are read as if each were alone, also damaged ones", () => {
    const few = fc.constantFrom(...[1, 2, 3].map((value) => new Uint8Array(32).fill(value)));
    const sharedProduce = fc
      .tuple(few, few, fc.boolean(), fc.array(hash, { maxLength: 1 }), fc.integer({ min: 0, max: 2 }))
      .map(([channel, own, flag, outputs, times]) => {
        return new ProduceEvent(channel, own, flag, !flag, outputs, false, times);
      });
    const sharedConsume = fc
      .tuple(fc.array(few, { minLength: 1, maxLength: 2 }), few, fc.boolean())
      .map(([channels, own, persistent]) => new ConsumeEvent(channels, own, persistent));
    const sharedComm = fc
      .tuple(sharedConsume, fc.array(sharedProduce, { maxLength: 2 }))
      .map(([consumed, produces]) => {
        const times = produces.map((event) => event.wireTimesRepeated);
        return new CommEvent(consumed, produces, times, []);
      });
    const log = fc.array(fc.oneof(sharedProduce, sharedConsume, sharedComm), { minLength: 2, maxLength: 12 });
    const damage = fc.option(fc.tuple(fc.nat(), fc.nat(255)));
    fc.assert(
      fc.property(log, damage, fc.nat(3), (events, change, twice) => {
        // The same member of the oneof may occur twice in one event; then the two are merged.
        const parts = events.map((event) => encodeEvent(event).slice());
        if (twice > 0) parts.push(Buffer.concat([parts[0]!, parts[0]!]));
        if (change !== null) parts[0]![change[0] % parts[0]!.length] = change[1];
        const bytes = new Uint8Array(Buffer.concat(parts));
        const together = new ProtoReader(bytes);
        together.events = new EventTable();
        for (const part of parts) {
          const alone = new ProtoReader(new Uint8Array(part));
          const expected = outcomeOf(alone, part.length);
          const found = outcomeOf(together, together.offset + part.length);
          if (found !== expected) expect(found).toBe(expected);
          if (found === undefined) return;
        }
      }),
      { numRuns: runs(200, 1_500) },
    );
  });

  test("a produce that repeats its channel's hash does not replace another one with the same beginning", () => {
    const [channel, own] = [1, 2].map((value) => new Uint8Array(32).fill(value)) as [Uint8Array, Uint8Array];
    const honest = encodeEvent(new ProduceEvent(channel, own, false, true, [], false, 0));
    const [head, message] = [honest.subarray(0, 2), honest.subarray(2)];
    const again = Uint8Array.of(...message, 0x0a, 1, 9);
    const twice = Uint8Array.of(head[0]!, again.length, ...again);
    const reader = new ProtoReader(Uint8Array.of(...twice, ...honest));
    reader.events = new EventTable();
    expect(readEvent(reader, twice.length, absentWhenEmpty)).toMatchObject({ channelsHash: Uint8Array.of(9) });
    expect(readEvent(reader, twice.length + honest.length, absentWhenEmpty)).toEqual(decodeEvent(honest));
  });

  test("an event without a variant is refused", () => {
    expect(() => decodeEvent(new Uint8Array(0))).toThrow("Received malformed Event: Empty");
  });

  test("the number of repeated empty parts is bounded", () => {
    const bytes = new Uint8Array(3_000_005);
    bytes.set([0x1a, 0xc0, 0x8d, 0xb7, 0x01], 0);
    for (let at = 5; at < bytes.length; at += 2) bytes[at] = 0x12;
    expect(() => decodeEvent(bytes)).toThrow(WireError);
  });
});

/** Describes an event and the keys of its parts, as a text; `undefined` if it cannot be read. */
function outcomeOf(reader: ProtoReader, end: number): string | undefined {
  try {
    const event = readEvent(reader, end, absentWhenEmpty);
    const keys = event.kind === "comm" ? [event.consume.key, ...event.produces.map(({ key }) => key)] : [event.key];
    const bytes = Buffer.from(encodeEvent(event)).toString("hex");
    return JSON.stringify({ bytes, keys, areTexts: keys.every((key) => typeof key === "string") });
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
    return undefined;
  }
}

/** Either a WireError, or an event; and then canonical bytes are what the encoder writes, and only those. */
function checkAgreement(bytes: Uint8Array): void {
  const reader = new ProtoReader(bytes);
  let event: Event;
  try {
    event = readEvent(reader, bytes.length, absentWhenEmpty);
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
    return;
  }
  expect(reader.canonical).toBe(Buffer.compare(encodeEvent(event), bytes) === 0);
}

describe("COMM for replay", () => {
  const at = (value: number): Uint8Array => new Uint8Array(32).fill(value);
  const one = new ProduceEvent(at(1), at(9), false);
  const two = new ProduceEvent(at(2), at(3), true);
  const waiting = new ConsumeEvent([at(1), at(2)], at(7), false);

  test("stays the same object when it is in order", () => {
    const event = new CommEvent(waiting, [one, two], [1, 0], [0, 2]);
    expect(commForReplay(event)).toBe(event);
  });

  test("has each produce once, with its last count, and peeks as a set", () => {
    const event = new CommEvent(waiting, [two, one, two], [4, 5, 6], [2, 0, 2]);
    const expected = new CommEvent(waiting, [one, two], [5, 6], [0, 2]);
    expect(equalComms(commForReplay(event), expected)).toBe(true);
    expect(equalComms(event, expected)).toBe(false);
  });
});

test("keys of different hashes differ", () => {
  fc.assert(
    fc.property(hash, hash, (left, right) => {
      expect(hashKey(left) === hashKey(right)).toBe(Buffer.compare(left, right) === 0);
    }),
  );
});
