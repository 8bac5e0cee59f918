import type { Random } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { f1r3nodeInterpreter } from "../interpreter/f1r3nodeInterpreter.js";
import type { Interpreter } from "../interpreter/Interpreter.js";
import { rnodeInterpreter } from "../interpreter/rnodeInterpreter.js";

/** A Par of f1r3node has no number of terms between 128 and 257 (61 §6.1). */
const count = 300;

const beside = (item: (at: number) => string) => Array.from({ length: count }, (_, at) => item(at)).join(" | ");

/** Receives that wait, then sends on the same channel, which is `c` and `d`. */
const waiting = (receive: (at: number) => string, send: (at: number) => string) =>
  `new x, names, go in { names!(*x, *x) | for (c, d <- names) { ${beside(receive)} | go!(Nil) | for (_ <- go) { ${beside(send)} } } }`;

/** Runs a program, and counts how often a pattern is matched with a datum, and how often a guard is evaluated. */
function workOf<Generator extends Random<Generator>>(interpreter: Interpreter<Generator>, source: string): number {
  let work = 0;
  const states = memoryStateStore(interpreter.space);
  const guard = interpreter.guardHolds;
  const space = new PlaySpace(
    states,
    (...operands) => {
      work += 1;
      return interpreter.matchDatum(...operands);
    },
    emptyRoot,
    undefined,
    guard &&
      ((...operands) => {
        work += 1;
        return guard(...operands);
      }),
  );
  interpreter.bootstrap(space);
  interpreter.install(space);
  const result = interpreter.evaluate({
    program: { source, environment: new Map() },
    ...{ space, phloLimit: 1_000_000_000n, mergeableTag: nil, replay: false },
    random: interpreter.random.fromSeed(new Uint8Array(32)),
  });
  expect(result).toMatchObject({ kind: "evaluated", errors: [] });
  return work;
}

const programs: readonly (readonly [string, string])[] = [
  [
    "one of several processes",
    waiting(
      (at) => `for (@{x | y | ${at}} <- c) { Nil }`,
      (at) => `c!("a" | "b" | ${at})`,
    ),
  ],
  [
    "a process that no datum has",
    waiting(
      () => "for (@{x | y | 5} <- c) { Nil }",
      (at) => `c!("a" | "b" | ${at + 6})`,
    ),
  ],
  [
    "a send beside another",
    waiting(
      (at) => `for (@{@${at}!(x) | y} <- c) { Nil }`,
      (at) => `c!({@${at}!(1) | @"a"!(2)})`,
    ),
  ],
  [
    "a kind of value",
    waiting(
      () => "for (@{x /\\ String} <- c) { Nil }",
      (at) => `c!(${at})`,
    ),
  ],
  [
    "a kind of value, behind data",
    waiting(
      (at) => `c!(${at})`,
      () => "for (@{x /\\ String} <- c) { Nil }",
    ),
  ],
  [
    "what a channel has none of, twice",
    waiting(
      () => `for (@"no" <- c & @"never" <- d) { Nil }`,
      (at) => `c!(${at})`,
    ),
  ],
  [
    "two data of one channel",
    waiting(
      () => "for (@x <- c & @y <- d) { Nil }",
      (at) => `c!(${at}) | c!("b")`,
    ),
  ],
];

const guarded: readonly (readonly [string, string])[] = [
  [
    "a value",
    waiting(
      (at) => `for (@x <- c where x == ${at}) { Nil }`,
      (at) => `c!(${count - 1 - at})`,
    ),
  ],
  [
    "a value that no datum has",
    waiting(
      (at) => `for (@x, r <- c where x == "k${at}" and 1 == 1) { Nil }`,
      (at) => `c!(${at}, Nil)`,
    ),
  ],
  [
    "something of a kind",
    waiting(
      () => 'for (@{x /\\ String} <- c where x != "") { Nil }',
      (at) => `c!(${at})`,
    ),
  ],
];

/** The maximum of tries for each receive and send. */
const few = 6;

describe("not every receive is tried with every datum where they want", () => {
  test.each(programs)("%s: rnode", (_, source) => {
    expect(workOf(rnodeInterpreter, source)).toBeLessThan(few * 2 * count);
  });

  test.each([...programs, ...guarded.map(([name, source]) => [`${name}, by a guard`, source] as const)])(
    "%s: f1r3node",
    (_, source) => {
      expect(workOf(f1r3nodeInterpreter, source)).toBeLessThan(few * 2 * count);
    },
  );
});
