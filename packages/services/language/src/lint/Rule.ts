import type { Span } from "@vedette/rholang";
import type { Analysis } from "../analysis/NameSymbol.js";
import type { Language } from "../Language.js";
import type { ProgramSource } from "../ProgramSource.js";

/** A program as rules see it. */
export interface LintedProgram {
  readonly parsed: ProgramSource;
  readonly analysis: Analysis;
  readonly language: Language;
}

/** A finding of a rule, and its place. */
export interface LintFinding {
  readonly span: Span;
  readonly message: string;
}

/** One lint rule: the content of its page, and its check. */
export interface Rule {
  /** By which comments name it. */
  readonly id: string;
  /** One sentence without its full stop. */
  readonly about: string;
  /** Why it matters, what to do. */
  readonly why: string;
  /** A program in which it finds something. */
  readonly bad: string;
  /** The same program, mended. */
  readonly good: string;
  find(program: LintedProgram): LintFinding[];
}
