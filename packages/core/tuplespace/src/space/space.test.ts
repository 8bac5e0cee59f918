import { blake2b256, toHex } from "@vedette/crypto";
import { ProduceEvent } from "@vedette/protocol";
import {
  BindPattern,
  encodePar,
  ListParWithRandom,
  nil,
  type Par,
  ParContinuation,
  ParWithRandom,
  SystemContinuation,
} from "@vedette/terms";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import type { StateStore } from "../history/StateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { anyPattern, freePattern, int, name, simpleMatch, text } from "../testing/simpleMatch.js";
import { ExploreSpace, readOnlyView } from "../view/readOnlyView.js";
import { PlaySpace } from "./PlaySpace.js";

const variable = new BindPattern([freePattern], undefined, 1);
const anything = new BindPattern([anyPattern], undefined, 0);
// The encoding of y comes before that of x.
const x = name(0xff);
const y = name(0x00);

let store: StateStore;
let space: PlaySpace;
let seeds = 0;

beforeEach(() => {
  store = memoryStateStore();
  space = new PlaySpace(store, simpleMatch, emptyRoot);
});

function data(value: Par): ListParWithRandom {
  seeds += 1;
  return new ListParWithRandom([value], blake2b256(Uint8Array.of(seeds & 0xff, seeds >> 8)));
}

/** Terms by their encodings, since cached values make equal terms differ. */
function show(pars: readonly Par[]): string[] {
  return pars.map((par) => toHex(encodePar(par)));
}

function showJoins(joins: readonly (readonly Par[])[]): string[][] {
  return joins.map(show);
}

/** The values of a channel's data. */
function shown(channel: Par): string[] {
  return space.data(channel).flatMap(({ a }) => show(a.pars));
}

function continuation(): ParContinuation {
  return new ParContinuation(new ParWithRandom(nil, data(nil).randomState));
}

function exactly(value: Par): BindPattern {
  return new BindPattern([value], undefined, 0);
}

describe("a consume", () => {
  test("needs channels, and a pattern for each", () => {
    expect(() => space.consume([], [], continuation(), false, [])).toThrow("channels can't be empty");
    expect(() => space.consume([x], [], continuation(), false, [])).toThrow(
      "channels.length must equal patterns.length",
    );
  });

  test("takes the newest datum that fits, and a peek takes it too", () => {
    space.produce(x, data(int(1)), false);
    space.produce(x, data(int(2)), false);
    const match = space.consume([x], [variable], continuation(), false, [0])!;
    expect(match.peek).toBe(true);
    expect(show(match.results[0]!.matched.pars)).toEqual(show([int(2)]));
    expect(shown(x)).toEqual(show([int(1)]));
  });

  test("does not take one datum for two binds on one channel", () => {
    space.produce(x, data(int(1)), false);
    expect(space.consume([x, x], [variable, variable], continuation(), false, [])).toBeUndefined();
    const match = space.produce(x, data(int(2)), false)!;
    expect(match.results.flatMap(({ matched }) => show(matched.pars))).toEqual(show([int(2), int(1)]));
    expect(space.data(x)).toEqual([]);
    expect(space.joins(x)).toEqual([]);
  });

  test("takes a persistent datum for both binds on one channel and leaves it", () => {
    space.produce(x, data(int(1)), true);
    const match = space.consume([x, x], [variable, variable], continuation(), false, [])!;
    expect(match.results).toHaveLength(2);
    expect(space.data(x)).toHaveLength(1);
  });

  test("behind a persistent datum does not find what it skipped (quirk 1.4)", () => {
    space.produce(x, data(int(1)), true);
    space.produce(x, data(int(2)), false);
    // List order: 2, 1. The first bind skips 2 and keeps 1; for the second bind only 1 is left.
    expect(space.consume([x, x], [exactly(int(1)), exactly(int(2))], continuation(), false, [])).toBeUndefined();
    expect(space.consume([x, x], [exactly(int(2)), exactly(int(1))], continuation(), false, [])).toBeDefined();
  });
});

describe("a produce", () => {
  test("completes a join, whose data and join records go", () => {
    expect(space.consume([x, y], [variable, variable], continuation(), false, [])).toBeUndefined();
    expect(showJoins(space.joins(x))).toEqual([show([x, y])]);
    expect(space.produce(y, data(int(2)), false)).toBeUndefined();
    const match = space.produce(x, data(int(1)), false)!;
    expect(match.results.flatMap(({ matched }) => show(matched.pars))).toEqual(show([int(1), int(2)]));
    expect([space.joins(x), space.joins(y), space.data(y), space.continuations([x, y])]).toEqual([[], [], [], []]);
  });

  test("leaves a persistent continuation and its join", () => {
    space.consume([x], [variable], continuation(), true, []);
    expect(space.produce(x, data(int(1)), false)?.persistent).toBe(true);
    expect(space.continuations([x])).toHaveLength(1);
    expect(space.joins(x)).toHaveLength(1);
  });

  test("is stored once, and counted, when it is sent again", () => {
    const same = data(int(1));
    for (let i = 0; i < 2; i += 1) {
      space.produce(x, same, false);
      space.consume([x], [variable], continuation(), false, []);
    }
    const comms = space.softCheckpoint().log.filter((event) => event.kind === "comm");
    expect(comms.map(({ timesRepeated }) => timesRepeated)).toEqual([[2], [1]]);
  });
});

describe("joins that went through the history (quirk 1.10.1)", () => {
  test("apply the patterns in the order of the encodings", () => {
    space.consume([x, y], [exactly(int(1)), exactly(int(2))], continuation(), false, []);
    const { root } = space.checkpoint();
    expect(showJoins(space.joins(x))).toEqual([show([y, x])]);
    space.produce(x, data(int(1)), false);
    expect(space.produce(y, data(int(2)), false)).toBeUndefined();
    space.reset(root);
    space.produce(x, data(int(2)), false);
    const match = space.produce(y, data(int(1)), false)!;
    expect(show(match.channels)).toEqual(show([y, x]));
  });

  test("make the checkpoint fail when both orders were touched (quirk 1.10.2)", () => {
    space.consume([x, y], [variable, variable], continuation(), false, []);
    space.checkpoint();
    space.consume([x, y], [anything, anything], continuation(), false, []);
    // The new join has no match with one datum, so the old one is looked at as well.
    space.produce(x, data(int(1)), false);
    expect(() => space.checkpoint()).toThrow("Cannot process duplicate actions on one key.");
  });

  test("are stored twice when only the join list has both orders (quirk 1.10.2)", () => {
    space.consume([x, y], [variable, variable], continuation(), false, []);
    space.checkpoint();
    space.consume([x, y], [anything, anything], continuation(), false, []);
    const { root } = space.checkpoint();
    expect(showJoins(readOnlyView(store, root).joins(x))).toEqual([show([y, x]), show([y, x])]);
    expect(readOnlyView(store, root).continuations([x, y])).toHaveLength(2);
  });
});

describe("an installed continuation", () => {
  const stdout = name(0);
  const install = () => space.install([stdout], [variable], new SystemContinuation(0n));

  test("has the event of 30 §V.1", () => {
    space.install([stdout], [variable], new SystemContinuation(0n));
    expect(toHex(space.continuations([stdout])[0]!.source.hash)).toBe(
      "5a60c3b2ae3495eb2b7b570f6e493fc726e6389406fbd0f97d291730a8272db9",
    );
  });

  test("matches, stays, leaves no trace in the state, and comes back after a reset", () => {
    install();
    for (let i = 0; i < 2; i += 1) {
      expect(space.produce(stdout, data(text("hello")), false)?.persistent).toBe(true);
      expect(toHex(space.checkpoint().root)).toBe(toHex(emptyRoot));
    }
    space.reset(emptyRoot);
    expect(space.produce(stdout, data(text("hello")), false)).toBeDefined();
  });

  test("cannot be attached where its data wait already", () => {
    space.produce(stdout, data(int(1)), false);
    expect(install).toThrow("Installing can be done only on startup");
  });
});

describe("a state", () => {
  test("must be recorded to be opened", () => {
    const unknown = blake2b256(Uint8Array.of(1));
    expect(() => space.reset(unknown)).toThrow(`unknown root ${toHex(unknown)}`);
    expect(() => readOnlyView(store, unknown)).toThrow("unknown root");
    expect(() => new PlaySpace(store, simpleMatch, unknown)).toThrow("unknown root");
  });

  test("stays as it is while others are made from it", () => {
    space.produce(x, data(int(1)), false);
    const first = space.checkpoint().root;
    const view = readOnlyView(store, first);
    space.consume([x], [variable], continuation(), false, []);
    expect(toHex(space.checkpoint().root)).toBe(toHex(emptyRoot));
    expect(view.data(x).map(({ a }) => show(a.pars))).toEqual([show([int(1)])]);
    const explore = new ExploreSpace(store, simpleMatch, first);
    expect(explore.consume([x], [variable], continuation(), false, [])).toBeDefined();
    expect(explore.data(x)).toEqual([]);
    expect(() => explore.checkpoint()).toThrow("only looks at a state");
    expect(view.data(x)).toHaveLength(1);
  });
});

test("an outside call's outputs are written into the log, not into the state", () => {
  space.consume([x], [variable], continuation(), false, []);
  const { event } = space.produce(x, data(int(1)), false)!;
  const output = Uint8Array.of(1, 2);
  space.updateProduce(new ProduceEvent(event.channelsHash, event.hash, false, false, [output], false));
  const [comm, produce] = space.softCheckpoint().log;
  expect(produce).toMatchObject({ isDeterministic: false, outputValue: [output] });
  expect(comm).toMatchObject({ produces: [{ isDeterministic: false }], timesRepeated: [1] });
});
