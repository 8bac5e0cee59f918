import type { BinaryOperator, ConnectiveTypeName, UnaryOperator } from "@vedette/terms";
import type { PackedSpan } from "./PackedSpan.js";

/**
 * A process as the grammar of f1r3node has it, before any scope is known. Parentheses and braces leave no trace.
 *
 * @spec 61 §4
 */
export type Process = { readonly span: PackedSpan } & (
  | { readonly kind: "Nil" }
  | { readonly kind: "Unit" }
  | { readonly kind: "Bool"; readonly value: boolean }
  | { readonly kind: "Int"; readonly value: bigint }
  | NumberLiteral
  | { readonly kind: "String"; readonly value: string }
  | { readonly kind: "Uri"; readonly value: string }
  | { readonly kind: "SimpleType"; readonly typeName: ConnectiveTypeName }
  | { readonly kind: "Variable"; readonly name: string }
  | { readonly kind: "Wildcard" }
  /** `=x`, or `=*x` when it refers to a name. */
  | { readonly kind: "VariableReference"; readonly name: string; readonly isName: boolean }
  /** Kept flat, since programs with tens of thousands of parts exist. */
  | { readonly kind: "Parallel"; readonly processes: readonly Process[] }
  | { readonly kind: "Eval"; readonly name: Name }
  | { readonly kind: "Unary"; readonly operator: UnaryOperator; readonly operand: Process }
  | BinaryProcess
  | { readonly kind: "Matches"; readonly target: Process; readonly pattern: Process }
  | MethodProcess
  | { readonly kind: "Negation"; readonly operand: Process }
  | ConnectiveProcess
  | CollectionProcess
  | MapProcess
  | SendProcess
  | SyncSendProcess
  | ReceiveProcess
  | { readonly kind: "Contract"; readonly name: Name; readonly formals: NamePatterns; readonly body: Process }
  | MatchProcess
  | { readonly kind: "Bundle"; readonly body: Process; readonly writeFlag: boolean; readonly readFlag: boolean }
  | LetProcess
  | NewProcess
  | IfProcess
);

/** A number that is not a plain integer; `width` is the digits after the letter, 0 if there are none. */
export interface NumberLiteral {
  readonly kind: "Number";
  readonly form: "signed" | "unsigned" | "bigInt" | "bigRational" | "float" | "fixedPoint";
  readonly digits: string;
  readonly width: number;
}

/** `left + right` and the like; the operator is named as in the term. */
export interface BinaryProcess {
  readonly kind: "Binary";
  readonly operator: BinaryOperator;
  readonly left: Process;
  readonly right: Process;
}

/** `target.method(args)`. */
export interface MethodProcess {
  readonly kind: "Method";
  readonly target: Process;
  readonly method: string;
  readonly args: readonly Process[];
}

/** `left /\ right`, `left \/ right`. */
export interface ConnectiveProcess {
  readonly kind: "Conjunction" | "Disjunction";
  readonly left: Process;
  readonly right: Process;
}

/** `[…]`, `(…,)`, `Set(…)`, `{|…|}`; a tuple has no remainder. */
export interface CollectionProcess {
  readonly kind: "List" | "Tuple" | "Set" | "PathMap";
  readonly elements: readonly Process[];
  readonly remainder: Remainder | undefined;
}

/** `{key : value, …}`. */
export interface MapProcess {
  readonly kind: "Map";
  readonly entries: readonly { readonly key: Process; readonly value: Process }[];
  readonly remainder: Remainder | undefined;
}

/** `channel!(data)`, or `channel!!(data)` when it is persistent. */
export interface SendProcess {
  readonly kind: "Send";
  readonly channel: Name;
  readonly data: readonly Process[];
  readonly persistent: boolean;
}

/** `channel!?(data).`, `channel!?(data); continuation`, and the same with a method's name in front of the data. */
export interface SyncSendProcess {
  readonly kind: "SyncSend";
  readonly channel: Name;
  readonly data: readonly Process[];
  readonly continuation: Process | undefined;
}

/** `for (receipt; receipt) { body }`. */
export interface ReceiveProcess {
  readonly kind: "Receive";
  readonly receipts: readonly Receipt[];
  readonly body: Process;
}

/** `match target { pattern where guard => body … }`. */
export interface MatchProcess {
  readonly kind: "Match";
  readonly target: Process;
  readonly cases: readonly MatchCaseProcess[];
}

/** One case of a match. */
export interface MatchCaseProcess {
  readonly pattern: Process;
  readonly guard: Process | undefined;
  readonly body: Process;
}

/** `let d1; d2 in body`, or with `&` when they are concurrent. */
export interface LetProcess {
  readonly kind: "Let";
  readonly declarations: readonly LetDeclaration[];
  readonly concurrent: boolean;
  readonly body: Process;
}

/** `patterns <- value`; `x = value` is `@x <- value`. */
export interface LetDeclaration {
  readonly patterns: NamePatterns;
  readonly value: Process;
  /** Behind the value; they mean nothing. */
  readonly others: readonly Process[];
}

/** `new x, y in body`. */
export interface NewProcess {
  readonly kind: "New";
  readonly declarations: readonly NameDeclaration[];
  readonly body: Process;
}

/** One name of a `new`, with its URI where it has one. */
export interface NameDeclaration {
  readonly name: string;
  readonly uri: string | undefined;
  readonly span: PackedSpan;
}

/** `if (condition) then else otherwise`. */
export interface IfProcess {
  readonly kind: "If";
  readonly condition: Process;
  readonly then: Process;
  readonly otherwise: Process | undefined;
}

/** A channel as a program writes it. */
export type Name =
  | { readonly kind: "NameWildcard" }
  | { readonly kind: "NameVariable"; readonly name: string; readonly span: PackedSpan }
  | { readonly kind: "Quote"; readonly process: Process };

/** `...x`, `...@x`; without a name it is the wildcard. */
export interface Remainder {
  readonly name: string | undefined;
  readonly span: PackedSpan;
}

/** The patterns of a bind, a contract or a `let`: names, and a remainder. */
export interface NamePatterns {
  readonly names: readonly Name[];
  readonly remainder: Remainder | undefined;
}

/** The binds of one receipt are joined by `&`; the first one's kind decides. */
export interface Receipt {
  readonly binds: readonly Bind[];
  readonly guard: Process | undefined;
}

/** How a bind takes: once, again and again, or without removing. */
export type BindKind = "linear" | "repeated" | "peek";

/** `patterns <- source`, `<- source?!`, `<- source!?(data)`. */
export interface Bind {
  readonly kind: BindKind;
  readonly patterns: NamePatterns;
  readonly source: Name;
  readonly sourceKind: "simple" | "receiveSend" | "sendReceive";
  readonly data: readonly Process[];
}
