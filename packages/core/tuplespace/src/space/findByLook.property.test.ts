import { blake2b256, toHex } from "@vedette/crypto";
import { encodeEvent } from "@vedette/protocol";
import {
  type BinaryOperator,
  BindPattern,
  boundVar,
  EBinary,
  EList,
  ETuple,
  EVar,
  emptyBitSet,
  f1r3nodeTerms,
  freeVar,
  type GInt,
  ListParWithRandom,
  nil,
  Par,
  ParContinuation,
  ParWithRandom,
  rnodeTerms,
  type TermCodec,
} from "@vedette/terms";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { f1r3nodeSpace } from "../form/f1r3nodeSpace.js";
import { rnodeSpace } from "../form/rnodeSpace.js";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import { HistoryError } from "../history/HistoryError.js";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { anyPattern, freePattern, int, matchBy, name } from "../testing/simpleMatch.js";
import { HotStore } from "./HotStore.js";
import { PlaySpace } from "./PlaySpace.js";
import { Slot } from "./Slot.js";
import type { MatchDatum } from "./Space.js";

const fewLists = [[0], [1], [0, 1], [0, 0]];

/** Groups that share a channel, more than the limit for single checks; two of them in both orders. */
const sharing = 40;
const listsThatShare = [
  ...Array.from({ length: sharing }, (_, at) => [0, at + 1]),
  [0],
  [1],
  [0, 1, 2],
  [1, 2],
  [2, 0],
];

/** A guard that compares a value with a number. */
interface Comparison {
  readonly operator: keyof typeof comparisons;
  readonly with: number;
}

const comparisons = {
  EEq: (one: bigint, other: bigint) => one === other,
  ELt: (one: bigint, other: bigint) => one < other,
  EGte: (one: bigint, other: bigint) => one >= other,
} as const satisfies Partial<Record<BinaryOperator, unknown>>;

type Step =
  | { readonly kind: "produce"; readonly channel: number; readonly value: number; readonly persist: boolean }
  | {
      readonly kind: "consume";
      readonly list: number;
      readonly wanted: number;
      readonly persist: boolean;
      /** The comparison that a guard requires of the last bind; left out: no guard. */
      readonly guard?: Comparison | undefined;
    }
  | { readonly kind: "checkpoint" | "revert" | "commit" }
  /** A commit; while it is on, nothing matches: what would fit comes to lie side by side, as after a merge. */
  | { readonly kind: "blind"; readonly isOn: boolean };

/**
 * @param maxValue the greater it is, the less meets and the more comes to lie and to wait
 * @param lists the number of lists of channels that there are
 */
const anySteps = (
  maxValue: number,
  length: fc.ArrayConstraints,
  lists = fewLists.length,
  maxChannel = 1,
): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("produce" as const),
          channel: fc.oneof(fc.nat({ max: 1 }), fc.nat({ max: maxChannel })),
          value: fc.nat({ max: maxValue }),
          persist: fc.boolean(),
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("consume" as const),
          list: fc.nat({ max: lists - 1 }),
          wanted: fc.nat({ max: maxValue + 1 }),
          persist: fc.boolean(),
          guard: fc.option(
            fc.record({
              operator: fc.constantFrom("EEq" as const, "ELt" as const, "EGte" as const),
              with: fc.nat({ max: maxValue }),
            }),
            { nil: undefined },
          ),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("checkpoint" as const, "revert" as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("commit" as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("blind" as const), isOn: fc.boolean() }) },
    ),
    length,
  );

/** A number, or a tuple or list of numbers. */
function termOf(value: number): Par {
  const parts = [int(value % 3), int(value)];
  if (value % 3 === 0) return int(value);
  const list =
    value % 3 === 1
      ? new ETuple(parts, emptyBitSet, false)
      : new EList(value % 2 === 0 ? parts : parts.slice(1), emptyBitSet, false, undefined);
  return Par.of({ exprs: [list] });
}

/** Wants a value, or any (0). */
function patternOf(wanted: number): BindPattern {
  return wanted === 0 ? new BindPattern([freePattern], undefined, 1) : new BindPattern([termOf(wanted)], undefined, 0);
}

/** Compares the last variable with a number. */
function guardOf({ operator, with: other }: Comparison): Par {
  const variable = Par.of({ exprs: [new EVar(boundVar(0))] });
  return Par.of({ exprs: [new EBinary(operator, variable, int(other))] });
}

function equalTo(wanted: number): Par {
  return guardOf({ operator: "EEq", with: wanted });
}

/** A tuple counts for its last number, as what a guard evaluates can be something else than what lies there. */
function guardHolds(guard: Par, matched: readonly ListParWithRandom[]): boolean {
  const value = matched.flatMap(({ pars }) => pars).at(-1)?.exprs[0];
  const plain = value?.kind === "ETuple" ? value.ps.at(-1)!.exprs[0] : value;
  const { operator, p2 } = guard.exprs[0] as EBinary;
  const holds = comparisons[operator as keyof typeof comparisons];
  return plain?.kind === "GInt" && holds(plain.value, (p2.exprs[0] as GInt).value);
}

function randomOf(at: number): Uint8Array {
  return blake2b256(Uint8Array.of(at));
}

/** Everything that the steps lead to: what met, the logs, the roots. */
function outcomeOf(
  steps: readonly Step[],
  form: SpaceDialect,
  { encodePar }: TermCodec,
  lists: readonly (readonly number[])[] = fewLists,
): string[] {
  let isBlind = false;
  const match: MatchDatum = (pattern, data) => (isBlind ? undefined : matchBy(encodePar, pattern, data));
  // Made here, since terms remember their bytes, which are of one form.
  const channels: readonly Par[] = Array.from({ length: sharing + 1 }, (_, at) => name(at + 1));
  const space = new PlaySpace(memoryStateStore(form), match, emptyRoot, undefined, guardHolds);
  const outcome: string[] = [];
  const noteLog = (log: ReturnType<PlaySpace["softCheckpoint"]>["log"]) => {
    outcome.push(log.map((event) => toHex(encodeEvent(event))).join());
  };
  /** @returns false where both orders of a list were looked at, which the history refuses (30 §1.10) */
  const commit = (): boolean => {
    try {
      const { root, log } = space.checkpoint();
      outcome.push(toHex(root));
      noteLog(log);
      return true;
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      outcome.push(error.failure.code);
      return false;
    }
  };
  let back: ReturnType<PlaySpace["softCheckpoint"]> | undefined;
  for (const [at, step] of steps.entries()) {
    if (step.kind === "produce") {
      const data = new ListParWithRandom([termOf(step.value)], randomOf(at));
      outcome.push(String(space.produce(channels[step.channel]!, data, step.persist)?.results.length));
    } else if (step.kind === "consume") {
      const list = lists[step.list]!.map((index) => channels[index]!);
      const patterns = list.map(() => patternOf(step.wanted));
      const guard = step.guard === undefined || form !== f1r3nodeSpace ? undefined : guardOf(step.guard);
      const continuation = new ParContinuation(new ParWithRandom(nil, randomOf(at)), guard);
      outcome.push(String(space.consume(list, patterns, continuation, step.persist, [])?.results.length));
    } else if (step.kind === "checkpoint") noteLog((back = space.softCheckpoint()).log);
    else if (step.kind === "revert") {
      if (back !== undefined) space.revert(back);
    } else {
      if (step.kind === "blind") isBlind = step.isOn;
      back = undefined;
      if (!commit()) return outcome;
    }
  }
  commit();
  return outcome;
}

describe.each([
  ["rnode", rnodeSpace, rnodeTerms],
  ["f1r3node", f1r3nodeSpace, f1r3nodeTerms],
] as const)("a produce where much lies and waits: %s", (_, form, terms) => {
  test.each([
    ["few", anySteps(4, { maxLength: 60 }), runs(40, 300)],
    ["many", anySteps(60, { minLength: 150, maxLength: 250 }), runs(6, 60)],
  ] as const)("meets what it would meet if everything were tried again: %s", (_much, steps, numRuns) => {
    const check = (all: readonly Step[]) => {
      const outcome = outcomeOf(all, form, terms);
      vi.spyOn(HotStore.prototype, "isTried").mockReturnValue(false);
      vi.spyOn(Slot.prototype, "indexed").mockReturnValue(undefined);
      vi.spyOn(HotStore.prototype, "hasPersistent").mockReturnValue(true);
      try {
        expect(outcome).toEqual(outcomeOf(all, form, terms));
      } finally {
        vi.restoreAllMocks();
      }
    };
    fc.assert(fc.property(steps, check), { numRuns });
  });

  test("meets what it would meet if every group were asked, where many share a channel", () => {
    let refused = 0;
    const allWait = Array.from(
      { length: sharing },
      (_, list): Step => ({ kind: "consume", list, wanted: list % 2, persist: list % 5 === 0 }),
    );
    const check = (more: readonly Step[]) => {
      const all = [...allWait, ...more];
      const outcome = outcomeOf(all, form, terms, listsThatShare);
      if (outcome.at(-1) === "duplicateAction") refused += 1;
      vi.spyOn(HotStore.prototype, "joinIndex").mockReturnValue(undefined);
      try {
        expect(outcome).toEqual(outcomeOf(all, form, terms, listsThatShare));
      } finally {
        vi.restoreAllMocks();
      }
    };
    const steps = anySteps(2, { minLength: 150, maxLength: 300 }, listsThatShare.length, sharing);
    fc.assert(fc.property(steps, check), { numRuns: runs(20, 200) });
    expect(refused).toBeGreaterThan(0);
  });

  test("asks a group that lacks something elsewhere once, until that comes", () => {
    const count = 200;
    const space = new PlaySpace(
      memoryStateStore(form),
      (...operands) => matchBy(terms.encodePar, ...operands),
      emptyRoot,
    );
    const any = new BindPattern([anyPattern], undefined, 0);
    const produce = (channel: Par, at: number) =>
      space.produce(channel, new ListParWithRandom([int(at)], randomOf(at)), false);
    for (let at = 0; at < count; at += 1) {
      const continuation = new ParContinuation(new ParWithRandom(nil, randomOf(at)));
      space.consume([name(1), name(2, at)], [any, any], continuation, false, []);
    }
    const asked = vi.spyOn(HotStore.prototype, "lackOf");
    for (let at = 0; at < count; at += 1) expect(produce(name(1), at)).toBeUndefined();
    expect(asked.mock.calls.length).toBe(count);
    for (let at = 0; at < count; at += 1) expect(produce(name(2, at), at)?.results.length).toBe(2);
    asked.mockRestore();
  });

  test("meets a group again whose lack has been made good", () => {
    const space = new PlaySpace(
      memoryStateStore(form),
      (...operands) => matchBy(terms.encodePar, ...operands),
      emptyRoot,
    );
    const any = new BindPattern([anyPattern], undefined, 0);
    const produce = (channel: Par) => space.produce(channel, new ListParWithRandom([int(1)], randomOf(1)), false);
    const wait = (channels: readonly Par[]) => {
      const continuation = new ParContinuation(new ParWithRandom(nil, randomOf(2)));
      const patterns = channels.map(() => any);
      return space.consume(channels, patterns, continuation, false, []);
    };
    for (let at = 0; at < sharing; at += 1) wait([name(1), name(2, at)]);
    expect(produce(name(1))).toBeUndefined();
    expect(wait([name(1)])).toBeDefined();
    expect(produce(name(2, 7))).toBeUndefined();
    expect(produce(name(1))?.results.length).toBe(2);
  });

  test("meets a receive whose guard holds for what was passed over, or for what is not plain", () => {
    const match: MatchDatum = (pattern, data) => matchBy(terms.encodePar, pattern, data);
    const space = new PlaySpace(memoryStateStore(form), match, emptyRoot, undefined, guardHolds);
    const wait = (pattern: BindPattern, guard?: Par) => {
      const continuation = new ParContinuation(new ParWithRandom(nil, randomOf(0)), guard);
      return space.consume([name(1)], [pattern], continuation, false, []);
    };
    const send = (...values: Par[]) => space.produce(name(1), new ListParWithRandom(values, randomOf(1)), false);
    const free = new BindPattern([freePattern], undefined, 1);
    for (let at = 0; at < sharing; at += 1) wait(new BindPattern([freePattern], undefined, 1), equalTo(100 + at));
    const five = int(5);
    expect(send(five)).toBeUndefined();
    expect(send(int(6))).toBeUndefined();
    // The guard reads the newest datum.
    expect(wait(free, equalTo(5))).toBeUndefined();
    expect(send(int(7), int(8))).toBeUndefined();
    expect(wait(new BindPattern([int(6)], undefined, 0))).toBeDefined();
    expect(send(int(7), int(8))?.results[0]?.matched.pars[0]).toBe(five);
    // All have been tried with all that lies.
    expect(send(int(7), int(8))).toBeUndefined();
    const tuple = Par.of({ exprs: [new ETuple([int(1), int(103)], emptyBitSet, false)] });
    expect(send(tuple)?.results[0]?.matched.pars[0]).toBe(tuple);
    expect(send(int(104))).toBeDefined();
  });

  test("is tried with what may fit by its look, and what lies is not tried again", () => {
    const count = 200;
    let tried = 0;
    const match: MatchDatum = (pattern, data) => {
      tried += 1;
      return matchBy(terms.encodePar, pattern, data);
    };
    const space = new PlaySpace(memoryStateStore(form), match, emptyRoot);
    const wait = (at: number, pattern: BindPattern) => {
      const continuation = new ParContinuation(new ParWithRandom(nil, randomOf(at)));
      return space.consume([name(1)], [pattern], continuation, false, []);
    };
    const send = (at: number, value: Par) =>
      space.produce(name(1), new ListParWithRandom([value], randomOf(at)), false);
    const wanted = (value: Par) => new BindPattern([value, freePattern], undefined, 1);
    for (let at = 0; at < count; at += 1) expect(wait(at, wanted(int(at)))).toBeUndefined();
    for (let at = 0; at < count; at += 1) expect(send(at, int(-1))).toBeUndefined();
    expect(tried).toBe(0);
    // Nor where it would need something else that is not there.
    for (let at = 0; at < count; at += 1) {
      const continuation = new ParContinuation(new ParWithRandom(nil, randomOf(at)));
      const any = new BindPattern([anyPattern], undefined, 0);
      space.consume([name(1), name(2, at)], [any, any], continuation, false, []);
    }
    tried = 0;
    for (let at = 0; at < count; at += 1) expect(send(at, int(-3))).toBeUndefined();
    expect(tried).toBe(0);
    // Continuations without a look are tried with every new datum, and with no other one again.
    for (let at = 0; at < count; at += 1) wait(at, new BindPattern([anyPattern, anyPattern], freeVar(0), 1));
    tried = 0;
    for (let at = 0; at < count; at += 1) expect(send(at, int(-2))).toBeUndefined();
    expect(tried).toBe(count * count);
  });
});
