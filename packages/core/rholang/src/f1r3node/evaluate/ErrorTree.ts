import { InterpreterError } from "../../InterpreterError.js";
import { joinedTexts } from "./debugError.js";

/** Errors that are kept whole: a failed branch may be as cheap as the phlo for one send. */
const maxStored = 1000;

/**
 * Tasks that run beside each other, and what goes wrong in them and in what they lead to.
 *
 * A task has ended when it has run and all tasks that it waits for have ended. A task that is the last of its group to
 * be under way, where nothing went wrong, hands its place on to those that it starts: what they raise is what the group
 * raises. So a contract that calls itself for ever leaves no chain of groups behind.
 *
 * @spec 61 §6.1
 */
export class ErrorScope {
  private readonly found: Found[] = [];
  private isLinked = false;

  /**
   * @param index of the task of the outer scope that started this one
   * @param live  number of its tasks
   */
  private constructor(
    readonly parent: ErrorScope | undefined,
    readonly index: number,
    private live: number,
  ) {}

  static root(): ErrorScope {
    return new ErrorScope(undefined, 0, 1);
  }

  /** A group of tasks that one of this scope's tasks starts and waits for. @param index of that task */
  group(index: number, count: number): ErrorScope {
    const { parent } = this;
    const handsOn = parent !== undefined && this.live === 1 && this.isEmpty;
    return handsOn ? new ErrorScope(parent, this.index, count) : new ErrorScope(this, index, count);
  }

  /** One of the tasks has ended. */
  endTask(): void {
    let scope: ErrorScope | undefined = this;
    while (scope !== undefined) {
      scope.live -= 1;
      if (scope.live > 0) return;
      scope = scope.parent;
    }
  }

  get isEmpty(): boolean {
    return this.found.length === 0;
  }

  /** Returns the found errors, in the order of the terms. */
  get inOrder(): readonly (InterpreterError | ErrorScope)[] {
    return this.found.toSorted((left, right) => left.index - right.index).map(({ what }) => what);
  }

  add(error: InterpreterError, index: number): void {
    this.found.push({ index, what: error });
    let scope: ErrorScope = this;
    while (scope.parent !== undefined && !scope.isLinked) {
      scope.isLinked = true;
      scope.parent.found.push({ index: scope.index, what: scope });
      scope = scope.parent;
    }
  }
}

interface Found {
  readonly index: number;
  readonly what: InterpreterError | ErrorScope;
}

/**
 * The errors of an evaluation, or of what the answer of an outside call led to.
 *
 * Each group of terms that run beside each other raises its only error as it is and several as one; where they have
 * such a one among them it is not taken apart.
 *
 * @spec 21 §1.6, 61 §6.1
 */
export class ErrorTree {
  readonly root = ErrorScope.root();
  private aborted: InterpreterError | undefined = undefined;
  private outOfPhlo: InterpreterError | undefined = undefined;
  private kept = 0;

  /** @param index of the term of the scope that the error comes out of */
  add(scope: ErrorScope, index: number, error: InterpreterError): void {
    if (error.failure.class === "UserAbortError") this.aborted ??= error;
    if (error.failure.class === "OutOfPhlogistonsError") this.outOfPhlo ??= error;
    if (this.kept >= maxStored) return;
    this.kept += 1;
    scope.add(error, index);
  }

  /** Combines all errors into one; `undefined` when the tree is empty. */
  combined(): InterpreterError | undefined {
    return this.aborted ?? this.outOfPhlo ?? raisedBy(this.root);
  }
}

/** Returns the error that a scope raises, computed from the innermost scopes outwards. */
function raisedBy(root: ErrorScope): InterpreterError | undefined {
  const scopes = [root];
  for (let i = 0; i < scopes.length; i += 1)
    for (const each of scopes[i]!.inOrder) if (each instanceof ErrorScope) scopes.push(each);
  const raised = new Map<ErrorScope, InterpreterError>();
  for (let i = scopes.length - 1; i >= 0; i -= 1) {
    const scope = scopes[i]!;
    const errors = scope.inOrder.flatMap((each) => (each instanceof ErrorScope ? (raised.get(each) ?? []) : [each]));
    if (errors.length === 1) raised.set(scope, errors[0]!);
    else if (errors.length > 1) raised.set(scope, aggregate(errors));
  }
  return raised.get(root);
}

function aggregate(errors: readonly InterpreterError[]): InterpreterError {
  const wording = `Error: Aggregate Error\n${joinedTexts(errors, "\n")}`;
  return new InterpreterError({ class: "AggregateError", errors, fatal: [], wording });
}
