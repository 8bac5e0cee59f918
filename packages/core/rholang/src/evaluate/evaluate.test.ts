import { fromHex, SplittableRandom, toHex } from "@vedette/crypto";
import { encodeListParWithRandom, nil, type Par, printPar } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace, ReplaySpace, withCallOutput } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { matchDatum } from "../match/matchPar.js";
import type { ExternalServices } from "../system/ExternalServices.js";
import { disabledServices } from "../system/ExternalServices.js";
import { installSystemProcesses } from "../system/install.js";
import { bootstrapRegistry } from "../system/registryBootstrap.js";
import { type Evaluation, evaluate } from "./evaluate.js";

const emptyEnvironment: ReadonlyMap<string, Par> = new Map();
const emptySeed = () => SplittableRandom.fromSeed(new Uint8Array(0));

function playSpace(states = memoryStateStore(), root = emptyRoot): PlaySpace {
  const space = new PlaySpace(states, matchDatum, root);
  installSystemProcesses(space);
  return space;
}

function play(source: string, options: Partial<Evaluation> = {}) {
  const space = playSpace();
  const result = evaluate({
    program: { source, environment: emptyEnvironment },
    space,
    phloLimit: 10_000_000n,
    random: emptySeed(),
    mergeableTag: nil,
    replay: false,
    ...options,
  });
  return { space, result };
}

/** Texts of what lies on `@0`. */
function dataOf(space: PlaySpace, name: Par): string[] {
  return space.data(name).map(({ a }) => a.pars.map((par) => printPar(par)).join(", "));
}

function zero(): Par {
  const space = playSpace();
  return onlyChannel(space, "@0!(Nil)");
}

/** The channel on which a program of one send puts its datum. */
function onlyChannel(space: PlaySpace, source: string): Par {
  let channel: Par | undefined;
  const { produce } = space;
  space.produce = (...operands) => {
    channel = operands[0];
    return produce.apply(space, operands);
  };
  evaluate({
    program: { source, environment: emptyEnvironment },
    space,
    phloLimit: 10000n,
    random: emptySeed(),
    mergeableTag: nil,
    replay: false,
  });
  return channel!;
}

describe("the registry bootstrap", () => {
  test("leads to the empty state of the network", () => {
    const space = new PlaySpace(memoryStateStore(), matchDatum, emptyRoot);
    bootstrapRegistry(space);
    expect(toHex(space.checkpoint().root)).toBe("9619d9a34bdaf56d5de8cfb7c2304d63cd9e469a0bfc5600fd2f5b9808e290f1");
  });
});

describe("names and random states", () => {
  test("a deploy's names and the state that it leaves are rnode's (21 §11.2)", () => {
    const states = memoryStateStore();
    const first = new PlaySpace(states, matchDatum, emptyRoot);
    bootstrapRegistry(first);
    const space = playSpace(states, first.checkpoint().root);
    const seed = fromHex(`0a4104${"11".repeat(64)}1880d095ffbc31`);
    const result = evaluate({
      program: { source: "new a in { a!(1) | for(@x <- a) { @x!(2) } }", environment: emptyEnvironment },
      space,
      phloLimit: 10000n,
      random: SplittableRandom.fromSeed(seed),
      mergeableTag: nil,
      replay: false,
    });
    expect(result).toMatchObject({ kind: "evaluated", errors: [] });
    const { root, log } = space.checkpoint();
    expect(toHex(root)).toBe("100404d148751ec22dc6dee259e11cd66d517b97a33670151d7272cdd36f9205");
    const produces = log.filter((event) => event.kind === "produce").map(({ hash }) => toHex(hash));
    expect(produces).toEqual([
      "dcd895e3362be5cfa291449a8aaa750f6ca1d89cf1cd168214599319b44a8929",
      "67bf3cbac356e1b20a905dfdb4f8dbb72e14c34058a9c4542f2697086c3ac750",
    ]);
  });

  test("a peeked datum is there again with its own random state (21 §11.3)", () => {
    const { space } = play("@0!(1) | for (@x <<- @0) { Nil }");
    const [datum] = space.data(zero());
    expect(toHex(encodeListParWithRandom(datum!.a))).toContain(toHex(emptySeed().splitByte(0).toBytes()));
  });

  test("a built-in process replies with the random state of the request (21 §11.3)", () => {
    const { space } = play('new h(`rho:crypto:sha256Hash`) in { h!("00".hexToBytes(), 0) }');
    const [datum] = space.data(zero());
    expect(toHex(datum!.a.randomState)).toBe(toHex(emptySeed().toBytes()));
  });
});

describe("results", () => {
  const errorsOf = (source: string, options?: Partial<Evaluation>) => {
    const { result } = play(source, options);
    if (result.kind !== "evaluated") throw result;
    return { cost: result.cost, errors: result.errors.map((error) => `${error.failure.class}: ${error.message}`) };
  };

  test("a program that is refused costs its text alone", () => {
    const { cost, errors } = errorsOf("new f, x in { f(x) }");
    expect(cost).toBe(20n);
    expect(errors).toHaveLength(1);
  });

  test("an error costs the whole limit", () => {
    expect(errorsOf("new s(`rho:io:stdout`) in { for(x <- s) { Nil } }")).toEqual({
      cost: 10_000_000n,
      errors: ["ReduceError: Trying to read from non-readable channel."],
    });
  });

  test("several errors are listed", () => {
    expect(errorsOf('@0!(1 + "a") | @1!(2) | @2!(true + 1) | for (_ <- @1) { @3!("b" - 1) }').errors).toEqual([
      "OperatorExpectedError: Error: Operator `+` is not defined on String.",
      "OperatorNotDefined: Error: Operator `+` is not defined on Bool.",
      "OperatorNotDefined: Error: Operator `-` is not defined on String.",
    ]);
  });

  test("an abort outranks other errors and costs what was used", () => {
    const source = 'new abort(`rho:execution:abort`) in { abort!("stop") | @0!(1 + "a") | @1!(1) }';
    const { cost, errors } = errorsOf(source);
    expect(errors).toEqual(["UserAbortError: Computation aborted by user request."]);
    expect(cost).toBeLessThan(1000n);
  });

  test("an abort outranks even running out of phlo, and then more than the limit is used", () => {
    const loop = "new loop in { contract loop() = { loop!() } | loop!() }";
    const { cost, errors } = errorsOf(`new abort(\`rho:execution:abort\`) in { abort!(1) | ${loop} }`, {
      phloLimit: 20000n,
    });
    expect(errors).toEqual(["UserAbortError: Computation aborted by user request."]);
    expect(cost).toBeGreaterThan(20000n);
  });

  test("too many terms in parallel are refused", () => {
    const source = Array.from({ length: 32768 }, () => "@0!()").join("|");
    expect(errorsOf(source).errors).toEqual([
      "ReduceError: The number of terms in the Par is 32768, which exceeds the limit of 32767.",
    ]);
  });

  test.each(["@0!(1 / 0)", "@0!(1 / 0) | @1!(1 + true)", "new h(`rho:crypto:sha256Hash`) in { h!(1, 0) }"])(
    "%j is fatal",
    (source) => {
      expect(play(source).result.kind).toBe("fatal");
    },
  );

  test("running out of phlo outranks a fatal exception (21 §9.3)", () => {
    const source = "@0!(1 / 0) | new loop in { contract loop() = { loop!() } | loop!() }";
    expect(errorsOf(source, { phloLimit: 20000n })).toEqual({
      cost: 20000n,
      errors: ["OutOfPhlogistonsError: Computation ran out of phlogistons."],
    });
  });

  test("terms that nest too deeply for the stack break nothing", () => {
    const source = `@0!(${"[".repeat(200_000)}${"]".repeat(200_000)})`;
    const { result } = play(source);
    expect(["broken", "evaluated"]).toContain(result.kind);
  });
});

describe("bounds", () => {
  const endless = "new loop in { contract loop(@n) = { loop!(n + 1) } | loop!(0) }";

  test("a contract that calls itself needs no native stack and ends with its phlo", () => {
    const { result } = play(endless, { phloLimit: 3_000_000n });
    expect(result).toMatchObject({ kind: "evaluated", cost: 3_000_000n });
  });

  test("branches that wait pile up on no native stack", () => {
    const source = "new loop in { contract loop(@n) = { loop!(n + 1) | new y in { @0!(n) } } | new x in { loop!(0) } }";
    const { result } = play(source, { phloLimit: 3_000_000n });
    expect(result).toMatchObject({ kind: "evaluated", errors: [{ failure: { class: "OutOfPhlogistonsError" } }] });
  });

  test("an evaluation stops at its deadline", () => {
    let now = 0;
    const budget = { deadlineMs: 10, nowMs: () => now++ };
    expect(play(endless, { budget }).result).toEqual({ kind: "stopped", reason: "deadline" });
  });

  test("an evaluation stops at its steps, at its waiting branches, and when it is cancelled", () => {
    const piling = "new loop in { contract loop(@n) = { loop!(n + 1) | new y in { @0!(n) } } | new x in { loop!(0) } }";
    expect(play(endless, { budget: { maxSteps: 1000 } }).result).toEqual({ kind: "stopped", reason: "steps" });
    expect(play(piling, { budget: { maxPending: 100 } }).result).toEqual({ kind: "stopped", reason: "pending" });
    expect(play(endless, { budget: { isCancelled: () => true } }).result).toEqual({
      kind: "stopped",
      reason: "cancelled",
    });
  });
});

test("what a program writes goes to the sink", () => {
  const written: string[] = [];
  play('new out(`rho:io:stdout`), err(`rho:io:stderrAck`) in { out!("a") | err!([1], *out) }', {
    output: (stream, term) => written.push(`${stream} ${printPar(term)}`),
  });
  expect(written).toEqual(['stdout "a"', "stderr [1]"]);
});

test("the channels with the mergeable tag are reported once each", () => {
  const { result } = play("@(Nil, 1)!(1) | @(Nil, 1)!(2) | for (_ <- @(Nil, 2)) { Nil } | @(1, Nil)!(3) | @[Nil]!(1)");
  expect(result).toMatchObject({ kind: "evaluated", errors: [] });
  if (result.kind !== "evaluated") return;
  expect(result.mergeable.map((channel) => printPar(channel)).sort()).toEqual(["(Nil, 1)", "(Nil, 2)"]);
});

describe("calls to the outside (21 §7.4, §7.5, §11.6)", () => {
  function playAndReplay(
    source: string,
    services: ExternalServices,
    phloLimit = 1_000_000n,
    alter: (space: PlaySpace) => void = () => undefined,
  ) {
    const states = memoryStateStore();
    const space = playSpace(states);
    const input = {
      program: { source, environment: emptyEnvironment },
      phloLimit,
      mergeableTag: nil,
    };
    const played = evaluate({ ...input, space, random: emptySeed(), replay: false, services });
    alter(space);
    const { log } = space.softCheckpoint();
    const replaySpace = new ReplaySpace(states, matchDatum, emptyRoot);
    installSystemProcesses(replaySpace);
    replaySpace.rig(log);
    const replayed = evaluate({ ...input, space: replaySpace, random: emptySeed(), replay: true, services: forbidden });
    return { played, replayed, log, leftover: replaySpace.checkReplayData() };
  }

  const forbidden: ExternalServices = {
    ...disabledServices,
    completeChat: () => {
      throw new RangeError("replay called the outside");
    },
  };
  const answering = (answer: string): ExternalServices => ({ ...disabledServices, completeChat: () => answer });
  const failing: ExternalServices = {
    ...disabledServices,
    completeChat: () => {
      throw new RangeError("no connection");
    },
  };
  const chat = 'new gpt4(`rho:ai:gpt4`), ack in { gpt4!("abc", *ack) | for (@x <- ack) { @0!(x) } }';

  test("an answer is recorded, and replay gives it without calling", () => {
    const { played, replayed, log, leftover } = playAndReplay(chat, answering("hello"));
    expect(played).toMatchObject({ kind: "evaluated", errors: [] });
    expect(replayed).toEqual(played);
    expect(leftover).toBeUndefined();
    const calls = log.filter((event) => event.kind === "produce" && !event.isDeterministic);
    expect(calls).toMatchObject([{ failed: false, outputValue: [fromHex("2a071a0568656c6c6f")] }]);
  });

  test("an answer that is too long to pay for runs out of phlo in both", () => {
    const { played, replayed } = playAndReplay(chat, answering("x".repeat(1_000_000)), 1000n);
    expect(played).toMatchObject({ cost: 1000n, errors: [{ failure: { class: "OutOfPhlogistonsError" } }] });
    expect(replayed).toMatchObject({ cost: 1000n, errors: [{ failure: { class: "OutOfPhlogistonsError" } }] });
  });

  test("a failed call costs the same in play and replay", () => {
    const { played, replayed, log } = playAndReplay(chat, failing);
    expect(played).toMatchObject({
      errors: [{ message: "Non deterministic process failed. Cause: no connection" }],
    });
    expect(replayed).toMatchObject({ errors: [{ failure: { class: "CanNotReplayFailedNonDeterministicProcess" } }] });
    expect(played.kind === "evaluated" && replayed.kind === "evaluated" && played.cost === replayed.cost).toBe(true);
    expect(log.some((event) => event.kind === "produce" && event.failed)).toBe(true);
  });

  test("with all services disabled OpenAI answers nothing, Ollama fails, and grpcTell does nothing", () => {
    expect(playAndReplay(chat, disabledServices).played).toMatchObject({ errors: [] });
    const models = "new models(`rho:ollama:models`), ack in { models!(*ack) }";
    expect(playAndReplay(models, disabledServices).played).toMatchObject({
      errors: [{ message: "Non deterministic process failed. Cause: Ollama service is disabled via configuration" }],
    });
    const notify = 'new notify(`rho:io:grpcTell`) in { notify!("localhost", 1, "x") }';
    expect(playAndReplay(notify, disabledServices).played).toMatchObject({ errors: [] });
  });

  test("what runs because of an answer and fails makes the call a failed one", () => {
    // The receive is there before the answer, which a built-in process gives after the terms beside its caller.
    const source = 'new gpt4(`rho:ai:gpt4`), ack in { gpt4!("abc", *ack) | for (@x <- ack) { @0!(x + 1) } }';
    const { played, log } = playAndReplay(source, answering("hello"));
    expect(played).toMatchObject({
      errors: [{ message: "Non deterministic process failed. Cause: Error: Operator `+` is not defined on String." }],
    });
    expect(log.filter((event) => event.kind === "produce" && !event.isDeterministic)).toMatchObject([
      { failed: true, outputValue: [fromHex("2a071a0568656c6c6f")] },
    ]);
  });

  test("garbage that a block records as an answer is a fault of the block, not of this machine", () => {
    const { replayed } = playAndReplay(chat, answering("hello"), 1_000_000n, (space) => {
      const checkpoint = space.softCheckpoint();
      const call = checkpoint.log.find((event) => event.kind === "produce" && !event.isDeterministic);
      if (call?.kind !== "produce") throw call;
      space.revert(checkpoint);
      space.updateProduce(withCallOutput(call, [fromHex("ffffff")], false));
    });
    expect(replayed.kind).toBe("fatal");
  });
});

test("a bound variable's process runs with the generator of the place where it runs", () => {
  const { space } = play("for (p <- @1) { *p | *p } | @1!({ new x in { @0!(*x) } })");
  const names = dataOf(space, zero());
  expect(new Set(names).size).toBe(2);
});
