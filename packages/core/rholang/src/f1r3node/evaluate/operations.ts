import { F1r3nodeRandom } from "@vedette/crypto";
import type {
  BindPattern,
  ListParWithRandom,
  Par,
  ParContinuation,
  ParWithRandom,
  TaggedContinuation,
} from "@vedette/terms";
import type { SpaceMatch } from "@vedette/tuplespace";
import { Environment } from "../../evaluate/Environment.js";
import type { ReceiveEvent, SendEvent } from "../../evaluate/tuple/events.js";
import { InterpreterError } from "../../InterpreterError.js";
import type { F1r3nodeReduction, F1r3nodeWork, TaskPlace } from "./F1r3nodeWork.js";
import { type CallMode, F1r3nodeProcessCall } from "./ProcessCall.js";
import { groupOf } from "./TaskQueue.js";

/** A receive, ready for the tuple space. @spec 21 §3.6 */
export interface F1r3nodeConsumeRequest {
  readonly channels: readonly Par[];
  readonly patterns: readonly BindPattern[];
  readonly continuation: ParContinuation;
  readonly persistent: boolean;
  readonly peeks: readonly number[];
}

/** A send's part in the tuple space. @param known the event of this very operation, where it is repeated */
export function produce(
  reduction: F1r3nodeReduction,
  channel: Par,
  data: ListParWithRandom,
  persistent: boolean,
  known: SendEvent | undefined,
): void {
  const { space, replay } = reduction.surroundings;
  reduction.noteMergeable(channel);
  const match = space.produce(channel, data, persistent, known);
  if (match === undefined) return;
  if (replay && match.event.failed) {
    const wording = "Cannot replay failed non-deterministic process";
    throw new InterpreterError({ class: "CanNotReplayFailedNonDeterministicProcess", wording });
  }
  const { event } = match;
  if (!persistent && !match.peek) {
    dispatch(reduction, match, { caller: event, mode: "recorded" });
    return;
  }
  const again = persistent ? produceAgain(channel, data, event) : undefined;
  // Quirk 61 §3: what a persistent send peeked at goes back too.
  follow(reduction, match, { caller: event, mode: "ignored" }, { again, putsBack: match.peek });
}

/** A receive's part in the tuple space. @param known the event of this very operation, where it is repeated */
export function consume(
  reduction: F1r3nodeReduction,
  request: F1r3nodeConsumeRequest,
  known: ReceiveEvent | undefined,
): void {
  const { channels, patterns, continuation, persistent, peeks } = request;
  for (let i = 0; i < channels.length; i += 1) reduction.noteMergeable(channels[i]!);
  const how = { persist: persistent, peeks, known };
  const match = reduction.surroundings.space.consume(channels, patterns, continuation, how);
  if (match === undefined) return;
  const by: Caller = { caller: undefined, mode: "ignored" };
  if (!persistent && !match.peek) {
    dispatch(reduction, match, by);
    return;
  }
  const again = persistent ? consumeAgain(request, match.event) : undefined;
  follow(reduction, match, by, { again, putsBack: !persistent });
}

/** The further steps after a COMM beside its continuation: at least one of both. */
interface Aftermath {
  /** The operation once more, where it is persistent. */
  readonly again: ((place: TaskPlace) => F1r3nodeWork) | undefined;
  /** Whether what was only peeked at goes back. */
  readonly putsBack: boolean;
}

/** The continuation runs, and what else follows: all are tasks. @spec 21 §3.6, 61 §3, §6.1 */
function follow(reduction: F1r3nodeReduction, match: SpaceMatch, by: Caller, { again, putsBack }: Aftermath): void {
  const back = putsBack ? match.results.filter(({ persistent }) => !persistent) : [];
  reduction.start(1 + (again === undefined ? 0 : 1) + back.length, (scope) => {
    const placeOf = (index: number): TaskPlace => ({ scope, index, isTask: true });
    const tasks: F1r3nodeWork[] = [{ place: placeOf(0), run: (at) => dispatch(at, match, by) }];
    if (again !== undefined) tasks.push(again(placeOf(1)));
    for (const { channel, removed } of back)
      tasks.push(new F1r3nodeProduceAgain(channel, removed, false, undefined, placeOf(tasks.length)));
    return groupOf(tasks);
  });
}

/** The event that completed a COMM, and how the output of an external call in its continuation is handled. */
export interface Caller {
  /** Absent where it was a receive. */
  readonly caller: SendEvent | undefined;
  readonly mode: CallMode;
}

/** Runs the continuation of a COMM. @spec 21 §3.6 */
export function dispatch(reduction: F1r3nodeReduction, match: SpaceMatch, by: Caller): void {
  const continuation: TaggedContinuation = match.continuation;
  const { results } = match;
  if (continuation.kind === "ParContinuation") runBody(reduction, continuation.value, results);
  else if (continuation.kind === "SystemContinuation")
    reduction.push(new F1r3nodeProcessCall(Number(continuation.bodyRef), results[0]!.matched, by, reduction.place));
}

/**
 * The body sees all values of all data in channel order, and a generator that joins theirs with its own.
 *
 * PERF: arrays of the right length, as one that grows takes room for 16 items more.
 */
function runBody(reduction: F1r3nodeReduction, body: ParWithRandom, results: SpaceMatch["results"]): void {
  const states = new Array<Uint8Array>(results.length + 1);
  states[0] = body.randomState;
  for (let i = 0; i < results.length; i += 1) states[i + 1] = results[i]!.matched.randomState;
  const first = results[0]!.matched.pars;
  const values = results.length === 1 ? first.slice() : results.flatMap(({ matched }) => matched.pars);
  reduction.schedule(body.body, Environment.of(values), F1r3nodeRandom.mergeStates(states));
}

function produceAgain(channel: Par, data: ListParWithRandom, event: SendEvent): (place: TaskPlace) => F1r3nodeWork {
  return (place) => new F1r3nodeProduceAgain(channel, data, true, event, place);
}

function consumeAgain(request: F1r3nodeConsumeRequest, event: ReceiveEvent): (place: TaskPlace) => F1r3nodeWork {
  return (place) => new F1r3nodeConsumeAgain(request, event, place);
}

/** Repeats a persistent send until no receive matches it, or puts a peeked datum back. */
class F1r3nodeProduceAgain implements F1r3nodeWork {
  constructor(
    private readonly channel: Par,
    private readonly data: ListParWithRandom,
    private readonly persistent: boolean,
    private readonly known: SendEvent | undefined,
    readonly place: TaskPlace,
  ) {}

  run(reduction: F1r3nodeReduction): void {
    produce(reduction, this.channel, this.data, this.persistent, this.known);
  }
}

/** A contract that takes the next datum, until there is none. */
class F1r3nodeConsumeAgain implements F1r3nodeWork {
  constructor(
    private readonly request: F1r3nodeConsumeRequest,
    private readonly known: ReceiveEvent,
    readonly place: TaskPlace,
  ) {}

  run(reduction: F1r3nodeReduction): void {
    consume(reduction, this.request, this.known);
  }
}
