import type { F1r3nodeRandom } from "@vedette/crypto";
import { f1r3nodeTerms, type ListParWithRandom, type Par } from "@vedette/terms";
import { SpaceError } from "@vedette/tuplespace";
import { checkBudget, stepsBetweenChecks } from "../../evaluate/Budget.js";
import type { Environment } from "../../evaluate/Environment.js";
import { InterpreterError, isLimitOfMachine } from "../../InterpreterError.js";
import { debugText } from "../debugText.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import { Panic } from "../Panic.js";
import { type ErrorScope, ErrorTree } from "./ErrorTree.js";
import type { F1r3nodeSurroundings, MergeKind } from "./F1r3nodeEvaluationContext.js";
import { schedulePar } from "./F1r3nodeParWork.js";
import type { F1r3nodeReduction, F1r3nodeWork, TaskGroup, TaskPlace } from "./F1r3nodeWork.js";
import { dispatch } from "./operations.js";
import { TaskQueue } from "./TaskQueue.js";

/** A channel with a mergeable tag that a term used. */
export interface MergeableChannel {
  readonly channel: Par;
  readonly kind: MergeKind;
}

/** An external call while its reply runs: its own tasks and errors, and its final action. */
interface RunningCall {
  readonly tasks: TaskQueue;
  readonly errors: ErrorTree;
  readonly end: F1r3nodeWork;
}

/**
 * Runs a term to its end: tasks in the order of {@link TaskQueue}, and within a task one thing after the other, without
 * native recursion.
 *
 * @spec 21 §1.6, §1.7, 61 §6.1
 */
export class F1r3nodeReducer implements F1r3nodeReduction {
  private readonly errors = new ErrorTree();
  private readonly tasks = new TaskQueue();
  /** The innermost last. */
  private readonly calls: RunningCall[] = [];
  /** The remaining steps of the running task. */
  private readonly steps: F1r3nodeWork[] = [];
  private current: TaskPlace = { scope: this.errors.root, index: 0, isTask: false };
  /** Whether the task that runs waits for others. */
  private waits = false;
  private readonly mergeableChannels = new Map<string, MergeableChannel>();

  constructor(readonly surroundings: F1r3nodeSurroundings) {}

  /** @spec 21 §3.6, 61 §6.2 */
  get mergeable(): MergeableChannel[] {
    return [...this.mergeableChannels.values()];
  }

  /**
   * @returns the error that the whole evaluation fails with, if it does; a {@link Panic} where no result exists
   * @throws errors that neither the program nor f1r3node causes: a damaged store, a used-up budget, a bug
   */
  run(par: Par, env: Environment, random: F1r3nodeRandom): Error | undefined {
    const { budget } = this.surroundings;
    const start = this.current;
    let count = 0;
    let work: F1r3nodeWork | undefined = { place: start, run: () => this.schedule(par, env, random) };
    while (work !== undefined) {
      count += 1;
      if (budget !== undefined && count % stepsBetweenChecks === 0) checkBudget(budget, count, this.pending);
      this.current = work.place;
      const ended = this.attempt(work);
      if (ended !== undefined) return ended;
      work = this.steps.pop() ?? this.nextTask();
    }
    return this.errors.combined();
  }

  get place(): TaskPlace {
    return this.current;
  }

  push(work: F1r3nodeWork): void {
    this.steps.push(work);
  }

  start(count: number, groupIn: (scope: ErrorScope) => TaskGroup): void {
    const { scope, index } = this.current;
    this.waits = true;
    const tasks = this.calls.at(-1)?.tasks ?? this.tasks;
    tasks.start(groupIn(scope.group(index, count)));
  }

  schedule(par: Par, env: Environment, random: F1r3nodeRandom): void {
    schedulePar(par, env, random, this);
  }

  reply(ack: Par, data: ListParWithRandom): void {
    dispatchReply(this, ack, data);
  }

  beginCall(end: F1r3nodeWork): void {
    const errors = new ErrorTree();
    this.calls.push({ tasks: new TaskQueue(), errors, end });
    this.current = { scope: errors.root, index: 0, isTask: this.current.isTask };
  }

  endCall(): InterpreterError | undefined {
    return this.calls.pop()!.errors.combined();
  }

  noteMergeable(channel: Par): void {
    const kind = mergeKind(channel, this.surroundings.mergeKindOf);
    if (kind === undefined) return;
    this.mergeableChannels.set(String.fromCharCode(...f1r3nodeTerms.channelHash(channel)), { channel, kind });
  }

  private get pending(): number {
    let pending = this.steps.length + this.tasks.length;
    for (const { tasks } of this.calls) pending += tasks.length;
    return pending;
  }

  /** The task that ran is over; the next one, of the innermost call first. */
  private nextTask(): F1r3nodeWork | undefined {
    if (!this.waits) this.current.scope.endTask();
    this.waits = false;
    const call = this.calls.at(-1);
    return call === undefined ? this.tasks.take() : (call.tasks.take() ?? call.end);
  }

  /** @returns the error that ends the whole evaluation */
  private attempt(work: F1r3nodeWork): Panic | undefined {
    try {
      work.run(this);
      return undefined;
    } catch (error) {
      const fault = faultOf(error);
      const { scope, index, isTask } = this.current;
      if (fault instanceof Panic && !isTask) return fault;
      const errors = this.calls.at(-1)?.errors ?? this.errors;
      errors.add(scope, index, fault instanceof Panic ? panickedTask(fault) : fault);
      return undefined;
    }
  }
}

/** f1r3node's text also has the number of its task, which is another in each run. @spec 61 §6.1 */
function panickedTask({ message }: Panic): InterpreterError {
  return f1r3nodeReduceError(`task panicked: task panicked with message ${debugText(message)}`);
}

/** Returns the error of a branch, if f1r3node too would see it as one. @throws everything else */
function faultOf(error: unknown): InterpreterError | Panic {
  if (error instanceof Panic) return error;
  if (error instanceof InterpreterError && !isLimitOfMachine(error)) return error;
  // Quirk 61 §3: a COMM that is not in the trace makes f1r3node panic.
  if (error instanceof SpaceError && error.failure.code === "commNotInTrace")
    return new Panic({ code: "panic", reason: error.message });
  throw error;
}

/** The first element of the first tuple that has any decides. @spec 61 §6.2 */
function mergeKind(channel: Par, kindOf: (tag: Par) => MergeKind | undefined): MergeKind | undefined {
  const { exprs } = channel;
  for (let i = 0; i < exprs.length; i += 1) {
    const expr = exprs[i]!;
    if (expr.kind === "ETuple" && expr.ps.length > 0) return kindOf(expr.ps[0]!);
  }
  return undefined;
}

/**
 * A built-in process answers, with the generator of the request. Quirk 21 §7.2: this is not a program's send.
 *
 * @spec 21 §7.2
 */
function dispatchReply(reduction: F1r3nodeReduction, ack: Par, data: ListParWithRandom): void {
  const match = reduction.surroundings.space.produce(ack, data, false, undefined);
  if (match !== undefined) dispatch(reduction, match, { caller: match.event, mode: "raised" });
}
