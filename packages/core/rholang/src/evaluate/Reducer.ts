import type { SplittableRandom } from "@vedette/crypto";
import { channelHash, type Par } from "@vedette/terms";
import { SpaceError } from "@vedette/tuplespace";
import type { ChargingSpace } from "../cost/ChargingSpace.js";
import type { Phlo } from "../cost/Phlo.js";
import { InterpreterError, isLimitOfMachine } from "../InterpreterError.js";
import type { WorkMeter } from "../match/WorkMeter.js";
import type { ExternalServices } from "../system/ExternalServices.js";
import type { SystemFacts } from "../system/SystemFacts.js";
import { type Budget, checkBudget, stepsBetweenChecks } from "./Budget.js";
import type { Environment } from "./Environment.js";
import { ErrorList } from "./ErrorList.js";
import { FatalError } from "./FatalError.js";
import { CallQueue } from "./reduce/CallQueue.js";
import { type ParWork, scheduledPar } from "./reduce/par.js";
import type { Work } from "./Work.js";

/** The parts that one evaluation works with. */
export interface EvaluationContext {
  readonly space: ChargingSpace;
  readonly phlo: Phlo;
  readonly facts: SystemFacts;
  readonly services: ExternalServices;
  /** Whether recorded outputs replace external calls. */
  readonly replay: boolean;
  /** A tuple that begins with this name is a mergeable channel. */
  readonly mergeableTag: Par;
  readonly budget: Budget | undefined;
  /** Counts the work of matching. */
  readonly meter: WorkMeter | undefined;
}

/**
 * Runs a term to its end on an explicit stack.
 *
 * The last piece of work that was pushed runs first, and several pieces are pushed in reverse order. So terms
 * run in the order of rnode's nested calls, depth first and by index, but a contract that calls itself for
 * ever needs no native stack: each dispatch returns to the loop before the body runs.
 *
 * @spec 21 §1.6, §1.7
 */
export class Reducer {
  private readonly stack: Work[] = [];
  private errors = new ErrorList();
  /** The Par of which a term runs, and the size of the stack below it. */
  private running: ParWork | undefined = undefined;
  private base = 0;
  private readonly mergeableChannels = new Map<string, Par>();

  constructor(readonly surroundings: EvaluationContext) {}

  /** Channels with the mergeable tag that the term used. @spec 21 §3.6 */
  get mergeable(): Par[] {
    return [...this.mergeableChannels.values()];
  }

  /**
   * @returns the error that the whole evaluation fails with, if it does
   * @throws errors that neither the program nor rnode causes: a damaged store, a used-up budget, a bug
   */
  run(par: Par, env: Environment, random: SplittableRandom): Error | undefined {
    const { stack } = this;
    const { budget } = this.surroundings;
    let steps = 0;
    try {
      this.schedule(par, env, random);
    } catch (error) {
      this.fail(error);
    }
    for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
      steps += 1;
      if (budget !== undefined && steps % stepsBetweenChecks === 0) checkBudget(budget, steps, stack.length);
      this.running = undefined;
      try {
        work.run(this);
      } catch (error) {
        this.fail(error);
      }
    }
    return this.errors.combined();
  }

  /** Pushes work: it runs before everything that was pushed earlier. */
  push(work: Work): void {
    this.stack.push(work);
  }

  /** Called by the terms of a Par when one of them begins to run. */
  enterPar(par: ParWork): void {
    this.running = par;
    this.base = this.stack.length;
  }

  /**
   * Pushes a built-in process that was called: where a term of a Par called it, it runs after all terms of that Par.
   *
   * Any order is a legal one. In rnode a call goes through several steps on other threads, so that a receive beside it
   * is there first; this matters where the receive only peeks (21 §7.2).
   */
  pushCall(call: Work): void {
    const { running } = this;
    if (running === undefined) this.stack.push(call);
    else {
      if (running.calls === undefined) {
        running.calls = new CallQueue();
        this.stack.splice(this.base, 0, running.calls);
      }
      running.calls.add(call);
    }
  }

  /** Pushes the terms of a Par. @throws {InterpreterError} `ReduceError` when there are too many */
  schedule(par: Par, env: Environment, random: SplittableRandom): void {
    const work = scheduledPar(par, env, random);
    if (work !== undefined) this.stack.push(work);
  }

  /** Starts a new list of errors; the caller pushes a scope that takes it with {@link leaveScope}. */
  enterScope(): ErrorList {
    const outer = this.errors;
    this.errors = new ErrorList();
    return outer;
  }

  /** Goes back to the list that {@link enterScope} returned. @returns the errors of the inner one as one error */
  leaveScope(outer: ErrorList): Error | undefined {
    const inner = this.errors;
    this.errors = outer;
    return inner.combined();
  }

  noteMergeable(channel: Par): void {
    // The hash is cached on the channel, and few channels are tagged, so that its text does no harm.
    this.mergeableChannels.set(String.fromCharCode(...channelHash(channel)), channel);
  }

  /** Books an error of one branch; the other branches run on. */
  private fail(error: unknown): void {
    if (!isProgramFault(error)) throw error;
    this.errors.add(error);
    if (error instanceof InterpreterError && error.failure.class === "OutOfPhlogistonsError") this.dropBranches();
  }

  /**
   * Drops the branches that wait: each begins with a charge, which would be refused without being booked, and the
   * same error outranks whatever else they could raise. So they can change nothing, neither cost nor result. A
   * built-in process that was called before can still abort, which outranks even that.
   */
  private dropBranches(): void {
    const { stack } = this;
    let start = stack.length;
    while (start > 0 && stack[start - 1]!.kind !== "scope") start -= 1;
    let kept = start;
    for (let i = start; i < stack.length; i += 1) {
      const work = stack[i]!;
      if (work.kind === "call") stack[kept++] = work;
    }
    stack.length = kept;
  }
}

/**
 * Whether rnode too would see this error come out of a branch. Everything else (a stack that is too small,
 * a damaged store, a bug of ours) is no verdict about a program and ends the evaluation at once.
 */
function isProgramFault(error: unknown): error is Error {
  if (error instanceof InterpreterError) return !isLimitOfMachine(error);
  if (error instanceof SpaceError) return error.failure.code === "commNotInTrace";
  return error instanceof FatalError;
}
