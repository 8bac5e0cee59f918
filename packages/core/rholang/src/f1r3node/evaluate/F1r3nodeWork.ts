import type { F1r3nodeRandom } from "@vedette/crypto";
import type { ListParWithRandom, Par } from "@vedette/terms";
import type { Environment } from "../../evaluate/Environment.js";
import type { InterpreterError } from "../../InterpreterError.js";
import type { ErrorScope } from "./ErrorTree.js";
import type { F1r3nodeSurroundings } from "./F1r3nodeEvaluationContext.js";

/** The place of a piece of work among the tasks. */
export interface TaskPlace {
  readonly scope: ErrorScope;
  /** The index of the term in its scope. */
  readonly index: number;
  /** Whether it is, or is part of, a task that runs beside others: there a `Panic` is an error of the program. */
  readonly isTask: boolean;
}

/**
 * A piece of an evaluation that waits its turn on the reducer's stack.
 *
 * @spec 21 §1.7, 61 §6.1
 */
export interface F1r3nodeWork {
  /** Where what goes wrong in it is kept. */
  readonly place: TaskPlace;
  run(reduction: F1r3nodeReduction): void;
}

/** Tasks that were started together; each is taken when its turn comes. */
export interface TaskGroup {
  /** The next task, the last one aside; `undefined` when all are taken. */
  takeNext(): F1r3nodeWork | undefined;
  /** The last task. */
  takeLast(): F1r3nodeWork;
}

/**
 * An evaluation as its pieces see it. What is handed over here waits: as the next step of the task that runs, or as
 * tasks that it waits for.
 *
 * @spec 21 §1.7, 61 §6.1
 */
export interface F1r3nodeReduction {
  readonly surroundings: F1r3nodeSurroundings;
  /** The place of what runs now. */
  readonly place: TaskPlace;
  /** Does something as the next step of the task that runs. */
  push(work: F1r3nodeWork): void;
  /** Starts tasks, for which the task that runs waits. */
  start(count: number, groupIn: (scope: ErrorScope) => TaskGroup): void;
  /** Runs a Par. @throws {InterpreterError} `ReduceError`; {Panic} for 129 to 256 terms */
  schedule(par: Par, env: Environment, random: F1r3nodeRandom): void;
  /** A built-in process answers. @throws {InterpreterError} where the space or the phlo fails */
  reply(ack: Par, data: ListParWithRandom): void;
  /** From here on, all errors are judged together. @param end runs when all work has ended */
  beginCall(end: F1r3nodeWork): void;
  /** @returns the error that the answer of the call led to, if any */
  endCall(): InterpreterError | undefined;
  /** A term uses a channel, which may have a mergeable tag. @spec 21 §3.6 */
  noteMergeable(channel: Par): void;
}
