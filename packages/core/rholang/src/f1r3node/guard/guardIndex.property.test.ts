import { toHex } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { runs } from "@vedette/testing";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import { Slot } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { f1r3nodeInterpreter } from "../../interpreter/f1r3nodeInterpreter.js";

const anyInt = fc.integer({ min: -2, max: 2 }).map(String);
const anyText = fc.constantFrom('"a"', '"b"', '"ab"', '""');
const anyConstant = fc.oneof(
  { weight: 4, arbitrary: anyInt },
  { weight: 2, arbitrary: anyText },
  fc.tuple(anyInt, fc.constantFrom("+", "-", "*"), anyInt).map((parts) => parts.join(" ")),
  fc.constantFrom("true", "false", "-(3)", "9223372036854775807 + 1", "[1]", "2n", "Nil"),
);
const anyVariable = fc.constantFrom("x", "y");
const anyOperand = fc.oneof(
  { weight: 4, arbitrary: anyConstant },
  anyVariable.map((name) => `${name} + 1`),
  anyVariable,
);
const anyComparison = fc
  .tuple(anyVariable, fc.constantFrom("<", "<=", ">", ">=", "==", "!="), anyOperand, fc.boolean())
  .map(([name, operator, other, isTurned]) =>
    isTurned ? `(${other}) ${operator} ${name}` : `${name} ${operator} (${other})`,
  );
const { guard: anyGuard } = fc.letrec<{ guard: string }>((tie) => ({
  guard: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyComparison,
    tie("guard").map((guard) => `not (${guard})`),
    fc.tuple(tie("guard"), fc.constantFrom("and", "and", "or"), tie("guard")).map(([one, word, other]) => {
      return `(${one}) ${word} (${other})`;
    }),
    fc.constantFrom("x matches Int", "true", "x"),
  ),
}));

const anyValue = fc.oneof(
  { weight: 4, arbitrary: anyInt },
  { weight: 2, arbitrary: anyText },
  fc.constantFrom("true", "false", "Nil", "[1]", "2n", "1 | 2", "1 | @0!(1)", "bundle+{0} | 1"),
);
const anyBinds = fc.constantFrom(
  ...["@x, @y <- c", "@x, @y <- c", "@y, @x <- c", "@{x /\\ Int}, @y <- c", "@x, ...@y <- c", "@[x, y] <- c"],
  ...["@x <- c & @y <- d", "@x, @1 <- c & @y <- d"],
);

const anyReceive = fc
  .tuple(anyBinds, fc.option(anyGuard, { nil: undefined, freq: 9 }), fc.constantFrom("<-", "<-", "<<-"))
  .map(([binds, guard, arrow]) => {
    const where = guard === undefined ? "" : ` where ${guard}`;
    return `for (${binds.replaceAll("<-", arrow)}${where}) { Nil }`;
  });

/** A receive that only a guard can refuse. */
const anyGuarded = fc
  .tuple(anyVariable, fc.constantFrom("<", "<=", ">", ">=", "=="), anyConstant, anyComparison)
  .map(([name, operator, other, more]) => `for (@x, @y <- c where ${name} ${operator} (${other}) and ${more}) { Nil }`);

const anySend = fc
  .tuple(fc.constantFrom("c!", "c!", "c!", "c!!", "d!"), anyValue, anyValue)
  .map(([send, one, other]) => (send === "d!" ? `d!(${one})` : `${send}({${one}}, {${other}})`));

/** Many receives wait; then come sends and more receives. */
const anySteps = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: anyGuarded }, anyReceive), { minLength: 20, maxLength: 40 }),
    fc.array(fc.oneof({ weight: 3, arbitrary: anySend }, anyReceive, anyGuarded), { minLength: 20, maxLength: 50 }),
  )
  .map((parts) => parts.flat());

afterEach(() => void vi.restoreAllMocks());

/** Runs one step after the other. @returns the outcome of each, the root and the events */
function outcomeOf(steps: readonly string[]) {
  const { space: form, matchDatum, guardHolds, random } = f1r3nodeInterpreter;
  const space = new PlaySpace(memoryStateStore(form), matchDatum, emptyRoot, undefined, guardHolds);
  f1r3nodeInterpreter.bootstrap(space);
  f1r3nodeInterpreter.install(space);
  const outcome = steps.map((step, at) => {
    const source = step.replace(/\b[cd](?=!)|(?<=<<?- )[cd]\b/g, (name) => `@"${name}"`);
    const program = { source, environment: new Map<string, never>() };
    const state = random.fromSeed(Uint8Array.of(at));
    const use = { program, space, phloLimit: 1_000_000n, mergeableTag: nil, replay: false, random: state };
    const result = f1r3nodeInterpreter.evaluate(use);
    return result.kind === "evaluated" ? `${result.cost} ${result.errors.join()}` : `${result.kind}: ${step}`;
  });
  const { root, log } = space.checkpoint();
  return { outcome, root: toHex(root), log };
}

test("receives with guards meet what they would meet without an index", () => {
  let comms = 0;
  const refused: string[] = [];
  const check = (steps: readonly string[]) => {
    const found = outcomeOf(steps);
    refused.push(...found.outcome.filter((each) => !/^\d+ $/.test(each)));
    comms += found.log.filter(({ kind }) => kind === "comm").length;
    vi.spyOn(Slot.prototype, "indexed").mockReturnValue(undefined);
    try {
      expect(found).toEqual(outcomeOf(steps));
    } finally {
      vi.restoreAllMocks();
    }
  };
  fc.assert(fc.property(anySteps, check), { numRuns: runs(10, 500) });
  expect(comms).toBeGreaterThan(0);
  expect(refused).toEqual([]);
});
