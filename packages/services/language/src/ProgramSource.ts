import {
  type Comment,
  type F1r3nodeProcess,
  type LineTable,
  type ParsedSource,
  type Process,
  parseF1r3nodeSource,
  parseSource,
  type Span,
} from "@vedette/rholang";

/** A process of either grammar: what both have is shaped alike. */
export type AnyProcess = Process | F1r3nodeProcess;

type Any<Kind> = Extract<AnyProcess, { readonly kind: Kind }>;
export type AnyName = Any<"Eval">["name"];
export type AnyPatterns = Any<"Contract">["formals"];
export type AnyReceipt = Any<"Receive">["receipts"][number];
export type AnyBind = AnyReceipt["binds"][number];
export type AnyCase = Any<"Match">["cases"][number];
export type AnyDeclaration = Any<"Let">["declarations"][number];

/** A token; its kind is its text, where it is no word or literal of the first grammar. */
export interface ProgramToken extends Span {
  readonly kind: string;
}

/** A node with its place, in each grammar's own form. */
export type PlacedNode = { readonly position: number } | { readonly span: number };

/** A program of either grammar, and all that its text has. */
export interface ProgramSource {
  readonly source: string;
  readonly process: AnyProcess;
  readonly lines: LineTable;
  /** The last is of kind `end`. */
  readonly tokens: readonly ProgramToken[];
  readonly comments: readonly Comment[];
  /** Around a process, the innermost first. */
  readonly wrappings: ReadonlyMap<AnyProcess, readonly { readonly sign: "(" | "{" }[]>;
  /** Where the closing parenthesis belongs that the program lacks, and that the node does without (61 §4). */
  readonly unclosedAt: number | undefined;
  /** Whether it is of f1r3node's grammar. */
  readonly isF1r3node: boolean;
  /** The place of what is more in the text than its process shows: a formatter leaves it as it is. */
  readonly asWritten: (process: AnyProcess) => Span | undefined;
  /** Without what is wrapped around it; `undefined` for what the text leaves out. */
  readonly spanOf: (part: AnyProcess | AnyName) => Span | undefined;
  /** Where something begins. */
  readonly offsetOf: (part: PlacedNode) => number;
}

/** Reads a program by rnode's grammar. @throws {InterpreterError} @spec 20 §2, §3 */
export function readProgram(source: string): ProgramSource {
  const parsed: ParsedSource = parseSource(source);
  const offsetOf = (part: PlacedNode) => ("position" in part ? part.position : 0);
  const spanOf = (part: AnyProcess | AnyName) =>
    part.kind === "NameVariable" ? spanFrom(offsetOf(part), part.name) : parsed.spans.get(part as Process);
  const asWritten = (process: AnyProcess) => (process.kind === "Select" ? spanOf(process) : undefined);
  return { ...parsed, unclosedAt: undefined, isF1r3node: false, spanOf, offsetOf, asWritten };
}

/** Reads a program by f1r3node's grammar. @throws {InterpreterError} @spec 61 §4 */
export function readF1r3nodeProgram(source: string): ProgramSource {
  const parsed = parseF1r3nodeSource(source);
  const offsetOf = (part: PlacedNode) => ("span" in part ? parsed.spanOf(part.span).start : 0);
  const spanOf = (part: AnyProcess | AnyName): Span | undefined => {
    if (part.kind === "Quote") return spanOf(part.process);
    if (part.kind === "NameVariable") return spanFrom(offsetOf(part), part.name);
    return "span" in part ? parsed.spanOf(part.span) : undefined;
  };
  const asWritten = (process: AnyProcess) => parsed.agents.get(process as F1r3nodeProcess);
  return { ...parsed, isF1r3node: true, spanOf, offsetOf, asWritten };
}

function spanFrom(start: number, text: string): Span {
  return { start, end: start + text.length };
}
