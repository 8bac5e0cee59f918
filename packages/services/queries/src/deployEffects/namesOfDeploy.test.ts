import { toHex } from "@vedette/crypto";
import { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "@vedette/protocol";
import { channelHash, f1r3nodeTerms, GInt, GString, type Par, parOfExpr } from "@vedette/terms";
import { expect, test } from "vitest";
import { publicNamesUsed } from "./namesOfDeploy.js";

let operations = 0;
/** Each operation has another hash. */
const nextHash = () => new Uint8Array(32).fill((operations += 1));
const produce = (name: Par, persistent = false) => new ProduceEvent(channelHash(name), nextHash(), persistent);
const consume = (...names: Par[]) => new ConsumeEvent(names.map(channelHash), nextHash(), false);
const comm = (receive: ConsumeEvent, send: ProduceEvent, peeks: number[] = []) =>
  new CommEvent(receive, [send], [0], peeks);
const text = (value: string) => parOfExpr(new GString(value));
const number = (value: bigint) => parOfExpr(new GInt(value));
const used = (term: string, log: readonly Event[]) =>
  publicNamesUsed(term, log).map(({ name, writes, reads }) => [name, writes, reads]);

test("names that a deploy wrote and read are those of its log that its program contains", () => {
  const term = `for (@x <- @"source"; @y <<- @7) { @"target"!(x) | @"target"!(y) | @"never"!(1) }`;
  const log = [consume(text("source"), number(7n)), produce(text("target")), produce(text("target"))];
  expect(used(term, [...log, produce(text("elsewhere"))])).toEqual([
    ['@"source"', 0, 1],
    ["@7", 0, 1],
    ['@"target"', 2, 0],
  ]);
});

test("names are found by the hashes of f1r3node networks, too", () => {
  const send = new ProduceEvent(f1r3nodeTerms.channelHash(text("shelf")), nextHash(), false);
  const receive = new ConsumeEvent([f1r3nodeTerms.channelHash(number(7n))], nextHash(), false);
  expect(used('@"shelf"!(1) | for (_ <- @7) { Nil }', [send, receive])).toEqual([
    ['@"shelf"', 1, 0],
    ["@7", 0, 1],
  ]);
});

test("operations that a log repeats count once, and a peek of another deploy's datum is no write", () => {
  const term = '@"own"!(1) | for (_ <<- @"own") { Nil } | for (_ <<- @"other") { Nil } | @"kept"!!(2)';
  const [own, other, kept] = [produce(text("own")), produce(text("other")), produce(text("kept"), true)];
  const [first, second, third] = [consume(text("own")), consume(text("other")), consume(text("kept"))];
  const log = [
    ...[own, first, comm(first, own, [0]), own],
    ...[second, comm(second, other, [0]), other],
    ...[kept, third, comm(third, kept), kept],
  ];
  for (const events of [log, log.toReversed()])
    expect(used(term, events).sort()).toEqual([
      ['@"kept"', 1, 1],
      ['@"other"', 0, 1],
      ['@"own"', 1, 1],
    ]);
});

test("a pattern, a longer number and an escaped text are taken for no name", () => {
  const term = `contract @"c"(@"pattern", @12x) = { @"a\\"b"!(1) } | @-3!(2)`;
  const log = [consume(text("c")), produce(text('a"b')), produce(number(-3n)), produce(number(12n))];
  expect(used(term, log)).toEqual([
    ['@"c"', 0, 1],
    ["@-3", 1, 0],
  ]);
  expect(publicNamesUsed("@3!(1)", [produce(number(3n))])).toMatchObject([
    { channelHash: toHex(channelHash(number(3n))) },
  ]);
});

test("a program with very many names, or very long ones, is decoded in part", () => {
  const many = Array.from({ length: 300 }, (_, at) => `@${at}!(1)`).join(" | ");
  expect(used(many, [produce(number(0n)), produce(number(299n))])).toEqual([["@0", 1, 0]]);
  const long = "x".repeat(300);
  expect(used(`@"${long}"!(1)`, [produce(text(long))])).toEqual([]);
});
