import { InterpreterError } from "../InterpreterError.js";

/**
 * Errors that are kept whole; of further ones only what decides the result is. A failed branch may be as cheap as
 * the phlo for one send, and an error with its stack trace is a kilobyte.
 */
const maxStored = 1000;

/**
 * Collects the errors in the branches of an evaluation, in the order of the branches.
 *
 * The rule of 21 §1.6 is stated for every Par on its own: out-of-phlo and abort outrank everything, one error is
 * raised as it is, several become an aggregate, and an aggregate inside an aggregate is flattened. One flat list
 * for a whole evaluation gives the same. Think of the tree of Pars with the errors at its leaves:
 *
 * - If a leaf is an abort, its Par raises an abort, whatever else is there, and so does every Par above. If no leaf
 *   is an abort but one is an out-of-phlo, the same holds for that. So the top raises an abort when there is one
 *   anywhere, else an out-of-phlo when there is one anywhere.
 * - Otherwise no error is dropped on the way up: a Par with one failed branch hands on what that branch raised,
 *   and one with several concatenates in index order. So the top holds exactly the leaves, in the order of a
 *   depth-first walk, which is the order in which the work stack runs them; alone a leaf arrives unchanged.
 *
 * Nothing in between looks at an error but the failure of a non-deterministic call, and that has a list of its own.
 *
 * @spec 21 §1.6
 */
export class ErrorList {
  private readonly kept: Error[] = [];
  private aborted: InterpreterError | undefined = undefined;
  private outOfPhlo: InterpreterError | undefined = undefined;

  add(error: Error): void {
    if (error instanceof InterpreterError) {
      const failure = error.failure;
      if (failure.class === "UserAbortError") this.aborted ??= error;
      else if (failure.class === "OutOfPhlogistonsError") this.outOfPhlo ??= error;
      else if (failure.class === "AggregateError") {
        for (const each of failure.errors) this.add(each);
        for (const each of failure.fatal) this.add(each);
        return;
      }
      if (this.kept.length >= maxStored) return;
    } else if (this.kept.length >= maxStored) {
      // A fatal error decides the result, so the first one takes the last place.
      if (this.kept.some((each) => !(each instanceof InterpreterError))) return;
      this.kept.pop();
    }
    this.kept.push(error);
  }

  /** Combines all errors into one; `undefined` when the list is empty. @spec 21 §1.6 */
  combined(): Error | undefined {
    if (this.kept.length === 0) return undefined;
    if (this.aborted !== undefined) return this.aborted;
    if (this.outOfPhlo !== undefined) return this.outOfPhlo;
    if (this.kept.length === 1) return this.kept[0];
    const errors: InterpreterError[] = [];
    const fatal: Error[] = [];
    for (const each of this.kept) {
      if (each instanceof InterpreterError) errors.push(each);
      else fatal.push(each);
    }
    return new InterpreterError({ class: "AggregateError", errors, fatal });
  }
}
