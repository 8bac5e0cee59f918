import { SplittableRandom } from "@vedette/crypto";
import type { ListParWithRandom, Par, ParWithRandom } from "@vedette/terms";
import type { SpaceMatch } from "@vedette/tuplespace";
import { externalProcesses, grpcTellRef, systemProcesses } from "../../system/processes.js";
import { Environment } from "../Environment.js";
import { FatalError } from "../FatalError.js";
import type { Reducer } from "../Reducer.js";
import type { Work } from "../Work.js";
import { callOutside, sendGrpcTell } from "./callOutside.js";
import type { SendEvent } from "./events.js";
import { reply } from "./reply.js";

/**
 * Runs the continuation of a COMM.
 *
 * @param caller     the send that made the COMM complete, if it was one
 * @param isRecorded whether the output of a call to the outside is written to the caller's event
 * @spec 21 §3.6
 */
export function dispatch(
  reducer: Reducer,
  match: SpaceMatch,
  caller: SendEvent | undefined,
  isRecorded: boolean,
): void {
  const { continuation, results } = match;
  if (continuation.kind === "ParContinuation") runBody(reducer, continuation.value, results);
  // A built-in process listens on one channel.
  else if (continuation.kind === "SystemContinuation")
    reducer.pushCall(new ProcessCall(Number(continuation.bodyRef), results[0]!.matched, caller, isRecorded));
}

/** A built-in process that was called. */
class ProcessCall implements Work {
  readonly kind = "call";

  constructor(
    private readonly bodyRef: number,
    private readonly data: ListParWithRandom,
    private readonly caller: SendEvent | undefined,
    private readonly isRecorded: boolean,
  ) {}

  run(reducer: Reducer): void {
    const { bodyRef, data, caller, isRecorded } = this;
    const process = systemProcesses.get(bodyRef);
    const external = externalProcesses.get(bodyRef);
    if (process !== undefined) {
      const answer = process(data.pars, reducer.surroundings.facts);
      if (answer !== undefined) reply(reducer, answer.ack, answer.values, data.randomState);
    } else if (external !== undefined) callOutside(reducer, external, data, caller, isRecorded);
    else if (bodyRef === grpcTellRef) sendGrpcTell(reducer, data.pars);
    else throw new FatalError({ code: "illegalArgument", message: `There is no built-in process ${bodyRef}` });
  }
}

/** The body sees all values of all data in channel order, and a generator that joins theirs with its own. */
function runBody(reducer: Reducer, body: ParWithRandom, results: SpaceMatch["results"]): void {
  if (results.length === 1) {
    const { pars, randomState } = results[0]!.matched;
    const random = SplittableRandom.mergeStates(body.randomState, randomState);
    reducer.schedule(body.body, Environment.of(pars.slice()), random);
    return;
  }
  const values: Par[] = [];
  const generators = [SplittableRandom.fromBytes(body.randomState)];
  for (let i = 0; i < results.length; i += 1) {
    const { pars, randomState } = results[i]!.matched;
    for (let j = 0; j < pars.length; j += 1) values.push(pars[j]!);
    generators.push(SplittableRandom.fromBytes(randomState));
  }
  reducer.schedule(body.body, Environment.of(values), SplittableRandom.merge(generators));
}
