import { errorClass } from "@vedette/errors";

/**
 * A place in a program's text. Lines and columns count from 1; `offset` counts UTF-16 units from 0.
 *
 * Quirk 20 §2.3: a wildcard in name position is at -1:-1 and what desugaring made is at 0:0; these have no offset.
 */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
  readonly offset?: number;
}

/** Failures with a text that is composed where they are raised. @spec 20 §13, 21 §9.1 */
export type WordedFailureClass =
  | "ParserError"
  | "NormalizerError"
  | "UnrecognizedNormalizerError"
  | "UnexpectedBundleContent"
  | "BugFoundError"
  | "SubstituteError"
  | "SetupError"
  | "SortMatchError"
  | "ReduceError";

/**
 * Failures of f1r3node's compiler: their texts are whole, since they show where things begin and end.
 *
 * @spec 61 §4
 */
export type SpannedFailureClass =
  | "ParserError"
  | "NormalizerError"
  | "BugFoundError"
  | "UnexpectedBundleContent"
  | "UnboundVariableRefSpan"
  | "UnexpectedNameContext"
  | "UnexpectedProcContext"
  | "UnexpectedReuseOfNameContextFree"
  | "UnexpectedReuseOfProcContextFree"
  | "TopLevelFreeVariablesNotAllowedError"
  | "TopLevelWildcardsNotAllowedError"
  | "TopLevelLogicalConnectivesNotAllowedError"
  | "PatternReceiveError"
  | "ReceiveOnSameChannelsError";

/** Failures at run time that f1r3node words by their kind and a text. @spec 61 §6.5 */
export type F1r3nodeFailureClass =
  | "BugFoundError"
  | "DecodeError"
  | "IfConditionTypeError"
  | "IllegalArgumentError"
  | "ParserError"
  | "ProduceFailureWithOutput"
  | "ReduceError"
  | "RSpaceError"
  | "SubstituteError";

/**
 * Why a program was refused, or why its evaluation failed. `class` is rnode's name; a `text` and a `wording` are whole.
 *
 * @spec 20 §13, 21 §9.1, 61 §6.5
 */
export type InterpreterFailure =
  | {
      readonly class: WordedFailureClass | SpannedFailureClass | F1r3nodeFailureClass;
      readonly text: string;
      readonly at?: SourcePosition;
    }
  /** `found` is undefined at the end of the text. */
  | { readonly class: "SyntaxError"; readonly found: string | undefined; readonly at: SourcePosition }
  | { readonly class: "LexerError"; readonly character: string; readonly at: SourcePosition }
  /** The lexer met a character that no rule knows; rnode dies of a Java error there. */
  | { readonly class: "UnrecognizedInterpreterError"; readonly at?: SourcePosition }
  | { readonly class: "UnboundVariableRef"; readonly name: string; readonly at: SourcePosition }
  | {
      readonly class: "UnexpectedNameContext" | "UnexpectedProcContext";
      readonly name: string;
      readonly boundAt: SourcePosition;
      readonly at: SourcePosition;
    }
  | {
      readonly class: "UnexpectedReuseOfNameContextFree" | "UnexpectedReuseOfProcContextFree";
      readonly name: string;
      readonly firstAt: SourcePosition;
      readonly at: SourcePosition;
    }
  /** `occurrences` is the text of the list: each `what at line:column`. */
  | {
      readonly class:
        | "TopLevelFreeVariablesNotAllowedError"
        | "TopLevelWildcardsNotAllowedError"
        | "TopLevelLogicalConnectivesNotAllowedError";
      readonly occurrences: string;
      readonly at: SourcePosition;
    }
  | { readonly class: "PatternReceiveError"; readonly connective: string; readonly at: SourcePosition }
  | { readonly class: "ReceiveOnSameChannelsError"; readonly at: SourcePosition }
  | { readonly class: "OutOfPhlogistonsError" }
  | { readonly class: "UserAbortError" }
  | { readonly class: "MethodNotDefined"; readonly method: string; readonly otherType: string }
  | {
      readonly class: "MethodArgumentNumberMismatch";
      readonly method: string;
      readonly expected: number;
      readonly actual: number;
    }
  | { readonly class: "OperatorNotDefined"; readonly operator: string; readonly otherType: string }
  | {
      readonly class: "OperatorExpectedError";
      readonly operator: string;
      readonly expected: string;
      readonly otherType: string;
    }
  /** `reason` is the message of what failed outside. */
  | {
      readonly class: "NonDeterministicProcessFailure";
      readonly reason: string;
      readonly outOfPhlo?: boolean;
      readonly wording?: string;
    }
  | { readonly class: "CanNotReplayFailedNonDeterministicProcess"; readonly wording?: string }
  | {
      readonly class: "AggregateError";
      readonly errors: readonly InterpreterError[];
      readonly fatal: readonly Error[];
      readonly wording?: string;
    }
  /** Ours alone: the thread's stack is too small for the program; rnode knows no such limit. */
  | { readonly class: "NestedTooDeeply"; readonly during: string }
  /** Ours alone, too: the compiled program would take more memory than a thread has. */
  | { readonly class: "ProgramTooLarge"; readonly limit: number };

/** Whether this machine gives up, which is no fault of the program. */
export function isLimitOfMachine({ failure }: InterpreterError): boolean {
  return failure.class === "NestedTooDeeply" || failure.class === "ProgramTooLarge";
}

/**
 * A program was refused by the compiler, or its evaluation failed. The message is rnode's, to the letter.
 *
 * @spec 20 §13, 21 §9
 */
export class InterpreterError extends errorClass("InterpreterError", sentence) {
  /** rnode's `Throwable.toString`, which its deploy API embeds. @spec 20 §13 */
  referenceText(): string {
    const suffix = singletons.has(this.failure.class) ? "$" : "";
    return `coop.rchain.rholang.interpreter.errors$${this.failure.class}${suffix}: ${this.message}`;
  }
}

/** An interpreter error with a text that the caller composes. */
export function wordedError(failureClass: WordedFailureClass, text: string, at?: SourcePosition): InterpreterError {
  return new InterpreterError(at === undefined ? { class: failureClass, text } : { class: failureClass, text, at });
}

/** An error of f1r3node's compiler, with its whole text. @spec 61 §4 */
export function spannedError(failureClass: SpannedFailureClass, text: string, at?: SourcePosition): InterpreterError {
  return new InterpreterError(at === undefined ? { class: failureClass, text } : { class: failureClass, text, at });
}

/** A run-time error without a class of its own, the most frequent kind. @spec 21 §9.2 */
export function reduceError(text: string): InterpreterError {
  return new InterpreterError({ class: "ReduceError", text });
}

/** A broken promise between the compiler and the evaluator, or a program that makes it look so. @spec 21 §9.2 */
export function bugFoundError(text: string): InterpreterError {
  return new InterpreterError({ class: "BugFoundError", text });
}

/** The phlo limit is used up. @spec 21 §1.5 */
export function outOfPhlogistons(): InterpreterError {
  return new InterpreterError({ class: "OutOfPhlogistonsError" });
}

/** The program called `rho:execution:abort`. @spec 21 §7.3 */
export function userAbort(): InterpreterError {
  return new InterpreterError({ class: "UserAbortError" });
}

/** `line:column`, as every message shows a place. @spec 20 §2.3 */
export function printPosition(position: SourcePosition): string {
  return `${position.line}:${position.column}`;
}

/** Classes that are single objects in rnode, with a Java name that ends with a dollar sign. @spec 21 §9.4 */
const singletons: ReadonlySet<string> = new Set(["OutOfPhlogistonsError", "UserAbortError"]);

function sentence(failure: InterpreterFailure): string {
  if ("text" in failure) return failure.text;
  if ("wording" in failure && failure.wording !== undefined) return failure.wording;
  switch (failure.class) {
    case "OutOfPhlogistonsError":
    case "UserAbortError":
    case "MethodNotDefined":
    case "MethodArgumentNumberMismatch":
    case "OperatorNotDefined":
    case "OperatorExpectedError":
    case "NonDeterministicProcessFailure":
    case "CanNotReplayFailedNonDeterministicProcess":
    case "AggregateError":
      return runTimeSentence(failure);
    case "NestedTooDeeply":
      return `The program is nested too deeply: ${failure.during} needs more stack than this thread has.`;
    case "ProgramTooLarge":
      return `The program is too large: it has more than ${failure.limit} tokens.`;
    default:
      return compileSentence(failure);
  }
}

type RunTimeClass =
  | "OutOfPhlogistonsError"
  | "UserAbortError"
  | "MethodNotDefined"
  | "MethodArgumentNumberMismatch"
  | "OperatorNotDefined"
  | "OperatorExpectedError"
  | "NonDeterministicProcessFailure"
  | "CanNotReplayFailedNonDeterministicProcess"
  | "AggregateError";

/** @spec 21 §9.1 */
function runTimeSentence(failure: Extract<InterpreterFailure, { class: RunTimeClass }>): string {
  switch (failure.class) {
    case "OutOfPhlogistonsError":
      return "Computation ran out of phlogistons.";
    case "UserAbortError":
      return "Computation aborted by user request.";
    case "MethodNotDefined":
      return `Error: Method \`${failure.method}\` is not defined on ${failure.otherType}.`;
    case "MethodArgumentNumberMismatch":
      return (
        `Error: Method \`${failure.method}\` expects ${failure.expected} Par argument(s), ` +
        `but got ${failure.actual} argument(s).`
      );
    case "OperatorNotDefined":
    case "OperatorExpectedError":
      return `Error: Operator \`${failure.operator}\` is not defined on ${failure.otherType}.`;
    case "NonDeterministicProcessFailure":
      return `Non deterministic process failed. Cause: ${failure.reason}`;
    case "CanNotReplayFailedNonDeterministicProcess":
      return "Can not replay failed non deterministic process.";
    case "AggregateError":
      // rnode appends Java stack traces, which another implementation cannot reproduce.
      return `Error: Aggregate Error\n${[...failure.errors, ...failure.fatal].map((each) => each.message).join("\n")}`;
  }
}

type CompileClass =
  | "SyntaxError"
  | "LexerError"
  | "UnrecognizedInterpreterError"
  | "UnboundVariableRef"
  | "UnexpectedNameContext"
  | "UnexpectedProcContext"
  | "UnexpectedReuseOfNameContextFree"
  | "UnexpectedReuseOfProcContextFree"
  | "TopLevelFreeVariablesNotAllowedError"
  | "TopLevelWildcardsNotAllowedError"
  | "TopLevelLogicalConnectivesNotAllowedError"
  | "PatternReceiveError"
  | "ReceiveOnSameChannelsError";

/** @spec 20 §2.6, §13 */
function compileSentence(failure: Extract<InterpreterFailure, { class: CompileClass }>): string {
  switch (failure.class) {
    case "SyntaxError":
      return syntaxSentence(failure.found, failure.at);
    case "LexerError":
      return `Illegal Character <${failure.character}> at ${printPosition(failure.at)}(${failure.at.offset ?? 0})`;
    case "UnrecognizedInterpreterError":
      return "Unrecognized interpreter error";
    case "UnboundVariableRef":
      return `Variable reference: =${failure.name} at ${printPosition(failure.at)} is unbound.`;
    case "UnexpectedNameContext":
      return (
        `Proc variable: ${failure.name} at ${printPosition(failure.boundAt)} ` +
        `used in Name context at ${printPosition(failure.at)}`
      );
    case "UnexpectedProcContext":
      return (
        `Name variable: ${failure.name} at ${printPosition(failure.boundAt)} ` +
        `used in process context at ${printPosition(failure.at)}`
      );
    case "UnexpectedReuseOfNameContextFree":
    case "UnexpectedReuseOfProcContextFree":
      return (
        `Free variable ${failure.name} is used twice as a binder (at ${printPosition(failure.firstAt)} and ` +
        `${printPosition(failure.at)}) in ${failure.class === "UnexpectedReuseOfNameContextFree" ? "name" : "process"} context.`
      );
    case "TopLevelFreeVariablesNotAllowedError":
      return `Top level free variables are not allowed: ${failure.occurrences}.`;
    case "TopLevelWildcardsNotAllowedError":
      return `Top level wildcards are not allowed: ${failure.occurrences}.`;
    case "TopLevelLogicalConnectivesNotAllowedError":
      return `Top level logical connectives are not allowed: ${failure.occurrences}.`;
    case "PatternReceiveError":
      return `Invalid pattern in the receive: ${failure.connective}. Only logical AND is allowed.`;
    case "ReceiveOnSameChannelsError":
      return `Receiving on the same channels is currently not allowed (at ${printPosition(failure.at)}). Ref. RCHAIN-4032.`;
  }
}

/** Quirk 20 §2.6: the end of a token is its start plus its length, even when it holds line breaks. */
function syntaxSentence(found: string | undefined, at: SourcePosition): string {
  if (found === undefined) return `syntax error(EOF):  at ${printPosition(at)}-${printPosition(at)}`;
  return `syntax error(): ${found} at ${printPosition(at)}-${at.line}:${at.column + found.length}`;
}
