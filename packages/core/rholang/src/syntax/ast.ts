import type { BinaryOperator, ConnectiveTypeName, UnaryOperator } from "@vedette/terms";

/**
 * A parsed process, before any scope is known. A `position` is an offset in the text (or a constant of LineTable.ts)
 * and is given only where some error text shows it; 20 §2.3 defines its token. Parentheses and braces leave no trace.
 *
 * @spec 20 §3.1
 */
export type Process =
  | { readonly kind: "Nil" }
  | { readonly kind: "Bool"; readonly value: boolean }
  | { readonly kind: "Int"; readonly digits: string }
  | { readonly kind: "String"; readonly value: string }
  | { readonly kind: "Uri"; readonly value: string }
  | { readonly kind: "SimpleType"; readonly typeName: ConnectiveTypeName }
  | VariableProcess
  | { readonly kind: "Wildcard"; readonly position: number }
  | VariableReference
  | ParallelProcess
  | { readonly kind: "Eval"; readonly name: Name }
  | { readonly kind: "Unary"; readonly operator: UnaryOperator; readonly operand: Process }
  | BinaryProcess
  | MatchesProcess
  | MethodProcess
  | SendProcess
  | SyncSendProcess
  | ReceiveProcess
  | ContractProcess
  | { readonly kind: "Select" }
  | MatchProcess
  | BundleProcess
  | LetProcess
  | NewProcess
  | IfProcess
  | { readonly kind: "Negation"; readonly operand: Process; readonly position: number }
  | ConnectiveProcess
  | CollectionProcess
  | MapProcess;

/** `x`, where a process is expected. */
export interface VariableProcess {
  readonly kind: "Variable";
  readonly name: string;
  readonly position: number;
}

/** `=x`, or `=*x` when it refers to a name. */
export interface VariableReference {
  readonly kind: "VariableReference";
  readonly name: string;
  readonly isName: boolean;
  readonly position: number;
}

/** Two or more processes; kept flat, since programs with tens of thousands of them exist. */
export interface ParallelProcess {
  readonly kind: "Parallel";
  readonly processes: readonly Process[];
}

/** `left + right` and the like; the operator is named as in the term. */
export interface BinaryProcess {
  readonly kind: "Binary";
  readonly operator: BinaryOperator;
  readonly left: Process;
  readonly right: Process;
}

/** `target matches pattern`. */
export interface MatchesProcess {
  readonly kind: "Matches";
  readonly target: Process;
  readonly pattern: Process;
}

/** `target.method(args)`. */
export interface MethodProcess {
  readonly kind: "Method";
  readonly target: Process;
  readonly method: string;
  readonly args: readonly Process[];
}

/** `channel!(data)`, or `channel!!(data)` when it is persistent. */
export interface SendProcess {
  readonly kind: "Send";
  readonly channel: Name;
  readonly data: readonly Process[];
  readonly persistent: boolean;
}

/** `channel!?(data).` or `channel!?(data); continuation`. */
export interface SyncSendProcess {
  readonly kind: "SyncSend";
  readonly channel: Name;
  readonly data: readonly Process[];
  readonly continuation: Process;
}

/** `for (receipt; receipt) { body }`. */
export interface ReceiveProcess {
  readonly kind: "Receive";
  readonly receipts: readonly Receipt[];
  readonly body: Process;
  readonly position: number;
}

/** `contract name(formals) = { body }`. */
export interface ContractProcess {
  readonly kind: "Contract";
  readonly name: Name;
  readonly formals: NamePatterns;
  readonly body: Process;
}

/** `match target { pattern => body … }`. */
export interface MatchProcess {
  readonly kind: "Match";
  readonly target: Process;
  readonly cases: readonly { readonly pattern: Process; readonly body: Process }[];
}

/** `bundle { body }`, `bundle+`, `bundle-`, `bundle0`. */
export interface BundleProcess {
  readonly kind: "Bundle";
  readonly body: Process;
  readonly writeFlag: boolean;
  readonly readFlag: boolean;
  readonly position: number;
}

/** `let d1; d2 in { body }`, or with `&` when they are concurrent. */
export interface LetProcess {
  readonly kind: "Let";
  readonly declarations: readonly LetDeclaration[];
  readonly concurrent: boolean;
  readonly body: Process;
}

/** `patterns <- values` of a `let`. */
export interface LetDeclaration {
  readonly patterns: NamePatterns;
  readonly values: readonly Process[];
}

/** `new x, y in { body }`. */
export interface NewProcess {
  readonly kind: "New";
  readonly declarations: readonly NameDeclaration[];
  readonly body: Process;
}

/** One name of a `new`, with its URI where it has one. */
export interface NameDeclaration {
  readonly name: string;
  readonly uri: string | undefined;
  readonly position: number;
}

/** `if (condition) then else otherwise`; what is left out is Nil. */
export interface IfProcess {
  readonly kind: "If";
  readonly condition: Process;
  readonly then: Process;
  readonly otherwise: Process;
}

/** `left /\ right`, `left \/ right`. */
export interface ConnectiveProcess {
  readonly kind: "Conjunction" | "Disjunction";
  readonly left: Process;
  readonly right: Process;
  readonly position: number;
}

/** `[…]`, `(…,)`, `Set(…)`; a tuple has no remainder. */
export interface CollectionProcess {
  readonly kind: "List" | "Tuple" | "Set";
  readonly elements: readonly Process[];
  readonly remainder: Remainder | undefined;
}

/** `{key : value, …}`. */
export interface MapProcess {
  readonly kind: "Map";
  readonly entries: readonly { readonly key: Process; readonly value: Process }[];
  readonly remainder: Remainder | undefined;
}

/** A channel as a program writes it. @spec 20 §3.2 */
export type Name =
  | { readonly kind: "NameWildcard" }
  | { readonly kind: "NameVariable"; readonly name: string; readonly position: number }
  | { readonly kind: "Quote"; readonly process: Process };

/** `...x`, `...@x`; without a name it is the wildcard. */
export interface Remainder {
  readonly name: string | undefined;
  readonly position: number;
}

/** The patterns of a bind, a contract or a `let`: names, and a remainder. */
export interface NamePatterns {
  readonly names: readonly Name[];
  readonly remainder: Remainder | undefined;
}

/** The binds of one receipt are joined by `&` and are all of its kind. */
export interface Receipt {
  readonly kind: ReceiptKind;
  readonly binds: readonly Bind[];
}

/** How a bind takes: once, again and again, or without removing. */
export type ReceiptKind = "linear" | "repeated" | "peek";

/** `patterns <- source`, `<- source?!`, `<- source!?(data)`. */
export interface Bind {
  readonly patterns: NamePatterns;
  readonly source: Name;
  readonly sourceKind: "simple" | "receiveSend" | "sendReceive";
  readonly data: readonly Process[];
}

/** `Nil`; shared. */
export const nilProcess: Process = { kind: "Nil" };
