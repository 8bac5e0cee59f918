import type { BinaryOperator, ConnectiveTypeName, UnaryOperator } from "@vedette/terms";
import type { PackedSpan } from "./PackedSpan.js";

/**
 * A process as the grammar of f1r3node has it, before any scope is known. Parentheses and braces leave no trace.
 *
 * @spec 61 §4
 */
export type F1r3nodeProcess = { readonly span: PackedSpan } & (
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
  | { readonly kind: "Parallel"; readonly processes: readonly F1r3nodeProcess[] }
  | { readonly kind: "Eval"; readonly name: F1r3nodeName }
  | { readonly kind: "Unary"; readonly operator: UnaryOperator; readonly operand: F1r3nodeProcess }
  | F1r3nodeBinaryProcess
  | { readonly kind: "Matches"; readonly target: F1r3nodeProcess; readonly pattern: F1r3nodeProcess }
  | F1r3nodeMethodProcess
  | { readonly kind: "Negation"; readonly operand: F1r3nodeProcess }
  | F1r3nodeConnectiveProcess
  | F1r3nodeCollectionProcess
  | F1r3nodeMapProcess
  | F1r3nodeSendProcess
  | F1r3nodeSyncSendProcess
  | F1r3nodeReceiveProcess
  | {
      readonly kind: "Contract";
      readonly name: F1r3nodeName;
      readonly formals: F1r3nodeNamePatterns;
      readonly body: F1r3nodeProcess;
    }
  | F1r3nodeMatchProcess
  | { readonly kind: "Bundle"; readonly body: F1r3nodeProcess; readonly writeFlag: boolean; readonly readFlag: boolean }
  | F1r3nodeLetProcess
  | F1r3nodeNewProcess
  | F1r3nodeIfProcess
);

/** A number that is not a plain integer; `width` is the digits after the letter, 0 if there are none. */
export interface NumberLiteral {
  readonly kind: "Number";
  readonly form: "signed" | "unsigned" | "bigInt" | "bigRational" | "float" | "fixedPoint";
  readonly digits: string;
  readonly width: number;
}

/** `left + right` and the like; the operator is named as in the term. */
export interface F1r3nodeBinaryProcess {
  readonly kind: "Binary";
  readonly operator: BinaryOperator;
  readonly left: F1r3nodeProcess;
  readonly right: F1r3nodeProcess;
}

/** `target.method(args)`. */
export interface F1r3nodeMethodProcess {
  readonly kind: "Method";
  readonly target: F1r3nodeProcess;
  readonly method: string;
  readonly args: readonly F1r3nodeProcess[];
}

/** `left /\ right`, `left \/ right`. */
export interface F1r3nodeConnectiveProcess {
  readonly kind: "Conjunction" | "Disjunction";
  readonly left: F1r3nodeProcess;
  readonly right: F1r3nodeProcess;
}

/** `[…]`, `(…,)`, `Set(…)`, `{|…|}`; a tuple has no remainder. */
export interface F1r3nodeCollectionProcess {
  readonly kind: "List" | "Tuple" | "Set" | "PathMap";
  readonly elements: readonly F1r3nodeProcess[];
  readonly remainder: F1r3nodeRemainder | undefined;
}

/** `{key : value, …}`. */
export interface F1r3nodeMapProcess {
  readonly kind: "Map";
  readonly entries: readonly { readonly key: F1r3nodeProcess; readonly value: F1r3nodeProcess }[];
  readonly remainder: F1r3nodeRemainder | undefined;
}

/** `channel!(data)`, or `channel!!(data)` when it is persistent. */
export interface F1r3nodeSendProcess {
  readonly kind: "Send";
  readonly channel: F1r3nodeName;
  readonly data: readonly F1r3nodeProcess[];
  readonly persistent: boolean;
}

/** `channel!?(data).`, `channel!?(data); continuation`, and the same with a method's name in front of the data. */
export interface F1r3nodeSyncSendProcess {
  readonly kind: "SyncSend";
  readonly channel: F1r3nodeName;
  readonly data: readonly F1r3nodeProcess[];
  readonly continuation: F1r3nodeProcess | undefined;
}

/** `for (receipt; receipt) { body }`. */
export interface F1r3nodeReceiveProcess {
  readonly kind: "Receive";
  readonly receipts: readonly F1r3nodeReceipt[];
  readonly body: F1r3nodeProcess;
}

/** `match target { pattern where guard => body … }`. */
export interface F1r3nodeMatchProcess {
  readonly kind: "Match";
  readonly target: F1r3nodeProcess;
  readonly cases: readonly MatchCaseProcess[];
}

/** One case of a match. */
export interface MatchCaseProcess {
  readonly pattern: F1r3nodeProcess;
  readonly guard: F1r3nodeProcess | undefined;
  readonly body: F1r3nodeProcess;
}

/** `let d1; d2 in body`, or with `&` when they are concurrent. */
export interface F1r3nodeLetProcess {
  readonly kind: "Let";
  readonly declarations: readonly F1r3nodeLetDeclaration[];
  readonly concurrent: boolean;
  readonly body: F1r3nodeProcess;
}

/** `patterns <- value`; `x = value` is `@x <- value`. */
export interface F1r3nodeLetDeclaration {
  readonly patterns: F1r3nodeNamePatterns;
  readonly value: F1r3nodeProcess;
  /** Behind the value; they mean nothing. */
  readonly others: readonly F1r3nodeProcess[];
}

/** `new x, y in body`. */
export interface F1r3nodeNewProcess {
  readonly kind: "New";
  readonly declarations: readonly F1r3nodeNameDeclaration[];
  readonly body: F1r3nodeProcess;
}

/** One name of a `new`, with its URI where it has one. */
export interface F1r3nodeNameDeclaration {
  readonly name: string;
  readonly uri: string | undefined;
  readonly span: PackedSpan;
}

/** `if (condition) then else otherwise`. */
export interface F1r3nodeIfProcess {
  readonly kind: "If";
  readonly condition: F1r3nodeProcess;
  readonly then: F1r3nodeProcess;
  readonly otherwise: F1r3nodeProcess | undefined;
}

/** A channel as a program writes it. */
export type F1r3nodeName =
  | { readonly kind: "NameWildcard" }
  | { readonly kind: "NameVariable"; readonly name: string; readonly span: PackedSpan }
  | { readonly kind: "Quote"; readonly process: F1r3nodeProcess };

/** `...x`, `...@x`; without a name it is the wildcard. */
export interface F1r3nodeRemainder {
  readonly name: string | undefined;
  readonly span: PackedSpan;
}

/** The patterns of a bind, a contract or a `let`: names, and a remainder. */
export interface F1r3nodeNamePatterns {
  readonly names: readonly F1r3nodeName[];
  readonly remainder: F1r3nodeRemainder | undefined;
}

/** The binds of one receipt are joined by `&`; the first one's kind decides. */
export interface F1r3nodeReceipt {
  readonly binds: readonly F1r3nodeBind[];
  readonly guard: F1r3nodeProcess | undefined;
}

/** How a bind takes: once, again and again, or without removing. */
export type BindKind = "linear" | "repeated" | "peek";

/** `patterns <- source`, `<- source?!`, `<- source!?(data)`. */
export interface F1r3nodeBind {
  readonly kind: BindKind;
  readonly patterns: F1r3nodeNamePatterns;
  readonly source: F1r3nodeName;
  readonly sourceKind: "simple" | "receiveSend" | "sendReceive";
  readonly data: readonly F1r3nodeProcess[];
}
