import { DecodeError, decodePar, encodePar, type ListParWithRandom, type Par } from "@vedette/terms";
import { withCallOutput } from "@vedette/tuplespace";
import { InterpreterError } from "../../InterpreterError.js";
import type { ExternalProcess } from "../../system/ExternalProcess.js";
import { readReport } from "../../system/grpcTell.js";
import type { ErrorList } from "../ErrorList.js";
import { FatalError } from "../FatalError.js";
import type { Reducer } from "../Reducer.js";
import type { Work } from "../Work.js";
import type { SendEvent } from "./events.js";
import { reply } from "./reply.js";

const nothing: readonly Uint8Array[] = [];

/**
 * Calls a non-deterministic built-in process, or gives what was recorded of such a call.
 *
 * @param caller     the send that made the call
 * @param isRecorded whether the output is written to that send's event
 * @spec 21 §7.4, §7.5
 */
export function callOutside(
  reducer: Reducer,
  process: ExternalProcess,
  data: ListParWithRandom,
  caller: SendEvent | undefined,
  isRecorded: boolean,
): void {
  const args = data.pars;
  const ack = args[args.length - 1]!;
  if (reducer.surroundings.replay) {
    process.checkReplayed(args);
    reply(reducer, ack, (caller?.outputValue ?? nothing).map(decodeRecorded), data.randomState);
    return;
  }
  const record = isRecorded ? caller : undefined;
  const values = callService(reducer, process, args, record);
  // Whatever runs because of the answer is judged together, before the call counts as successful.
  reducer.push(new CallScope(reducer.enterScope(), process, values.map(encodePar), record));
  reply(reducer, ack, values, data.randomState);
}

/** A recorded output comes from the maker of a block, which may have written anything. */
function decodeRecorded(bytes: Uint8Array): Par {
  try {
    return decodePar(bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new FatalError({ code: "illegalArgument", message: `recorded output: ${error.message}` });
  }
}

/** `rho:io:grpcTell`: nothing is replied, and nothing happens in replay. @spec 21 §7.4 */
export function sendGrpcTell(reducer: Reducer, args: readonly Par[]): void {
  const { replay, services } = reducer.surroundings;
  if (replay) return;
  const { host, port, payload } = readReport(args);
  try {
    services.sendNotification(host, port, payload);
  } catch (error) {
    throw callFailure(error);
  }
}

function callService(
  reducer: Reducer,
  process: ExternalProcess,
  args: readonly Par[],
  record: SendEvent | undefined,
): readonly Par[] {
  try {
    return process.call(args, reducer.surroundings.services);
  } catch (error) {
    if (error instanceof FatalError) throw error;
    if (record !== undefined) recordOutput(reducer, record, nothing, true);
    throw raised(callFailure(error), record);
  }
}

/** Lies below everything that the answer of a call set going. */
class CallScope implements Work {
  readonly kind = "scope";

  constructor(
    private readonly outer: ErrorList,
    private readonly process: ExternalProcess,
    private readonly output: readonly Uint8Array[],
    private readonly record: SendEvent | undefined,
  ) {}

  run(reducer: Reducer): void {
    const { record } = this;
    const error = reducer.leaveScope(this.outer);
    if (error === undefined) {
      if (record !== undefined) recordOutput(reducer, record, this.output, false);
      return;
    }
    if (record !== undefined)
      recordOutput(reducer, record, this.process.recordsOutputOnFailure ? this.output : nothing, true);
    throw raised(callFailure(error), record);
  }
}

function recordOutput(reducer: Reducer, caller: SendEvent, outputValue: readonly Uint8Array[], failed: boolean): void {
  reducer.surroundings.space.space.updateProduce(withCallOutput(caller, outputValue, failed));
}

function callFailure(cause: unknown): InterpreterError {
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
  return new InterpreterError(
    { class: "NonDeterministicProcessFailure", reason, outOfPhlo: isOutOfPhlo(cause) },
    { cause },
  );
}

/** A program's send raises the out-of-phlo itself; a built-in process that replied hands the failure on. */
function raised(failure: InterpreterError, record: SendEvent | undefined): Error {
  return record !== undefined && isOutOfPhlo(failure.cause) ? failure.cause : failure;
}

function isOutOfPhlo(error: unknown): error is InterpreterError {
  return error instanceof InterpreterError && error.failure.class === "OutOfPhlogistonsError";
}
