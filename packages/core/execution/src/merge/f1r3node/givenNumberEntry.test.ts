import { F1r3nodeRandom, toHex } from "@vedette/crypto";
import { type Block, ProduceEvent } from "@vedette/protocol";
import { f1r3nodeTerms, GInt, ListParWithRandom, Par } from "@vedette/terms";
import {
  encodeBincodeDatum,
  encodeNumberEntry,
  type ItemState,
  MergeError,
  type NumberChange,
} from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { readGivenEntry } from "./givenNumberEntry.js";

const one = "11".repeat(32);
const two = "22".repeat(32);

/** A state with these numbers on channels. */
function stateOf(numbers: Readonly<Record<string, bigint>>): ItemState {
  const none: readonly never[] = [];
  return {
    data(hash) {
      const value = numbers[toHex(hash)];
      return value === undefined ? none : [numberAt(hash, value)];
    },
    continuations: () => none,
    joins: () => none,
  };
}

function numberAt(channel: Uint8Array, value: bigint): Uint8Array {
  const randomState = F1r3nodeRandom.fromSeed(Uint8Array.of(1)).toBytes();
  const par = Par.of({ exprs: [new GInt(value)] });
  const content = f1r3nodeTerms.storedListParWithRandom(new ListParWithRandom([par], randomState));
  return encodeBincodeDatum({ content, persist: false, source: new ProduceEvent(channel, channel, false) });
}

/** A block with this many events in each deploy. */
function blockOf(users: readonly number[], systems: readonly number[]): Block {
  const logOf = (length: number) => ({ log: Array.from({ length }) });
  return { body: { deploys: users.map(logOf), systemDeploys: systems.map(logOf) } } as unknown as Block;
}

const add = (difference: bigint): NumberChange => ({ kind: "add", difference });
const or = (difference: bigint): NumberChange => ({ kind: "or", difference });
const entryOf = (...deploys: readonly Readonly<Record<string, NumberChange>>[]) =>
  encodeNumberEntry(deploys.map((changes) => new Map(Object.entries(changes))));

const block = blockOf([4, 4], [2]);
const states = { before: stateOf({ [one]: 10n }), after: stateOf({ [one]: 13n, [two]: 6n }) };
const read = (entry: Uint8Array) => readGivenEntry(block, entry, states);

describe("another node's data on a block's changes to number channels", () => {
  test("is taken where it leads from the one state to the other", () => {
    const entry = entryOf({ [one]: add(5n) }, { [one]: add(-2n), [two]: or(2n) }, { [two]: or(4n) });
    expect(encodeNumberEntry(read(entry))).toEqual(entry);
    expect(read(entryOf({}, {}, {}))).toEqual([new Map(), new Map(), new Map()]);
  });

  test.each([
    ["of another number of deploys", entryOf({ [one]: add(3n) }), "it is of 1 deploys, and the block has 3"],
    ["another sum", entryOf({ [one]: add(5n) }, { [one]: add(-1n) }, {}), "changes by 3, not by 4"],
    ["other bits", entryOf({ [two]: or(1n) }, {}, {}), "changes by 6, not by 1"],
    ["a channel of both kinds", entryOf({ [two]: or(6n) }, { [two]: add(6n) }, {}), "is added to and has bits set"],
    ["no entry at all", Uint8Array.of(1, 2, 3), "An entry of the mergeable store is malformed"],
    ["more deploys than bytes", Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0), "malformed"],
  ])("is refused: %s", (_, entry, reason) => {
    expect(() => read(entry)).toThrow(MergeError);
    expect(() => read(entry)).toThrow(reason);
  });

  test("cannot speak of more channels than a deploy has events", () => {
    const many = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [index.toString(16).padStart(64, "0"), add(0n)]),
    );
    expect(() => read(entryOf(many, {}, {}))).toThrow("a deploy of 4 events cannot change this many channels");
  });
});
