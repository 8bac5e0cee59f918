import { DecodeError, f1r3nodeTerms, ListParWithRandom, type Par } from "@vedette/terms";
import { withCallOutput } from "@vedette/tuplespace";
import type { SendEvent } from "../../evaluate/tuple/events.js";
import { InterpreterError } from "../../InterpreterError.js";
import { f1r3nodeError } from "../f1r3nodeError.js";
import { type F1r3nodeExternalProcess, f1r3nodeExternalProcesses } from "../system/f1r3nodeExternalProcesses.js";
import { f1r3nodeProcesses } from "../system/f1r3nodeProcesses.js";
import type { F1r3nodeReduction, F1r3nodeWork, TaskPlace } from "./F1r3nodeWork.js";

/**
 * How the output and the failure of an external call are handled.
 *
 * - `recorded`: its output is written to the event of the send that made it, and its failure is raised.
 * - `ignored`: neither (Quirk 61 §8: of a persistent send, or one that met a peek).
 * - `raised`: a built-in process replied to it; its failure is raised, nothing is written.
 */
export type CallMode = "recorded" | "ignored" | "raised";

const nothing: readonly Uint8Array[] = [];

/** A built-in process that was called. @spec 21 §7, 61 §8 */
export class F1r3nodeProcessCall implements F1r3nodeWork {
  constructor(
    private readonly bodyRef: number,
    private readonly data: ListParWithRandom,
    private readonly by: { readonly caller: SendEvent | undefined; readonly mode: CallMode },
    readonly place: TaskPlace,
  ) {}

  run(reduction: F1r3nodeReduction): void {
    const { bodyRef, data } = this;
    const process = f1r3nodeProcesses.get(bodyRef);
    const external = f1r3nodeExternalProcesses.get(bodyRef);
    if (process !== undefined) {
      const answer = process(data.pars, reduction.surroundings.facts);
      if (answer !== undefined) reduction.reply(answer.ack, new ListParWithRandom(answer.values, data.randomState));
    } else if (external !== undefined) this.callOutside(reduction, external);
    else throw f1r3nodeError("BugFoundError", `dispatch: no function for ${bodyRef}`);
  }

  private callOutside(reduction: F1r3nodeReduction, process: F1r3nodeExternalProcess): void {
    const { data } = this;
    const args = data.pars;
    const { replay, services } = reduction.surroundings;
    if (replay) {
      if (process.checkReplayed !== undefined) this.failing(reduction, () => process.checkReplayed!(args));
      const recorded = (this.by.caller?.outputValue ?? nothing).map(decodeRecorded);
      if (process.replies) reduction.reply(args.at(-1)!, new ListParWithRandom(recorded, data.randomState));
      return;
    }
    const values = this.failing(reduction, () => process.call(args, services));
    if (values === undefined) return;
    const output = values.map((value) => f1r3nodeTerms.encodePar(value));
    if (!process.replies) {
      this.record(reduction, output, false);
      return;
    }
    // Whatever runs because of the answer is judged together, before the call counts as successful.
    reduction.beginCall(new AnswerEnd(this, output));
    reduction.reply(args.at(-1)!, new ListParWithRandom(values, data.randomState));
  }

  private failing<Result>(reduction: F1r3nodeReduction, call: () => Result): Result | undefined {
    try {
      return call();
    } catch (error) {
      this.fail(reduction, wrapped(error));
      return undefined;
    }
  }

  /** The answer has run to its end. */
  ended(reduction: F1r3nodeReduction, output: readonly Uint8Array[], error: InterpreterError | undefined): void {
    if (error === undefined) this.record(reduction, output, false);
    else this.fail(reduction, f1r3nodeError("ProduceFailureWithOutput", error.message, { cause: error }));
  }

  private fail(reduction: F1r3nodeReduction, error: InterpreterError): void {
    if (this.by.mode === "ignored") return;
    this.record(reduction, nothing, true);
    throw error;
  }

  private record(reduction: F1r3nodeReduction, output: readonly Uint8Array[], failed: boolean): void {
    const { caller, mode } = this.by;
    if (mode === "recorded" && caller !== undefined)
      reduction.surroundings.space.space.updateProduce(withCallOutput(caller, output, failed));
  }
}

/** Lies below everything that the answer of a call set going. */
class AnswerEnd implements F1r3nodeWork {
  readonly place: TaskPlace;

  constructor(
    private readonly call: F1r3nodeProcessCall,
    private readonly output: readonly Uint8Array[],
  ) {
    this.place = call.place;
  }

  run(reduction: F1r3nodeReduction): void {
    this.call.ended(reduction, this.output, reduction.endCall());
  }
}

/** Decodes a recorded output, which is not trusted: the creator of a block may write any bytes. */
function decodeRecorded(bytes: Uint8Array): Par {
  try {
    return f1r3nodeTerms.decodePar(bytes);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw f1r3nodeError("DecodeError", cause.message, { cause });
  }
}

/** A failed call, whatever it failed with. */
function wrapped(cause: unknown): InterpreterError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const wording = `Non-deterministic process failure: ${reason}`;
  return new InterpreterError({ class: "NonDeterministicProcessFailure", reason, wording }, { cause });
}
