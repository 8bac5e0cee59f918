import {
  type Comment,
  type LineTable,
  type ParsedSource,
  type Process,
  parseRustSource,
  parseSource,
  type RustProcess,
  type Span,
} from "@vedette/rholang";

/** A process of either grammar: what both have is shaped alike. */
export type ShownProcess = Process | RustProcess;

type Shown<Kind> = Extract<ShownProcess, { readonly kind: Kind }>;
export type ShownName = Shown<"Eval">["name"];
export type ShownPatterns = Shown<"Contract">["formals"];
export type ShownReceipt = Shown<"Receive">["receipts"][number];
export type ShownBind = ShownReceipt["binds"][number];
export type ShownCase = Shown<"Match">["cases"][number];
export type ShownDeclaration = Shown<"Let">["declarations"][number];

/** A token; its kind is its text, where it is no word or literal of the first grammar. */
export interface ShownToken extends Span {
  readonly kind: string;
}

/** A program, and all that its text has. */
export interface LaidOutSource {
  readonly source: string;
  readonly process: ShownProcess;
  readonly lines: LineTable;
  /** The last is of kind `end`. */
  readonly tokens: readonly ShownToken[];
  readonly comments: readonly Comment[];
  /** Around a process, the innermost first. */
  readonly wrappings: ReadonlyMap<ShownProcess, readonly { readonly sign: "(" | "{" }[]>;
  /** Whether it is of the newer node's grammar. */
  readonly isNewer: boolean;
  /** The place of what is left as it is written. */
  readonly asWritten: (process: ShownProcess) => Span | undefined;
}

/** @throws {InterpreterError} */
export function parseForLayout(source: string): LaidOutSource {
  const parsed: ParsedSource = parseSource(source);
  const asWritten = (process: ShownProcess) =>
    process.kind === "Select" ? parsed.spans.get(process as Process) : undefined;
  return { ...parsed, isNewer: false, asWritten };
}

/** The same by the newer node's grammar. @throws {InterpreterError} */
export function parseNewerForLayout(source: string): LaidOutSource {
  const parsed = parseRustSource(source);
  return { ...parsed, isNewer: true, asWritten: (process) => parsed.agents.get(process as RustProcess) };
}
