import type { Span } from "@vedette/rholang";
import type { AnyBind, AnyProcess } from "../ProgramSource.js";

/** How a name came to be: by `new`, as a contract's formal, in a `for`, a `match` or a `let`. */
export type BindingKind = "new" | "formal" | "receive" | "match" | "let";

/** The use of a name at a place. */
export type Use =
  | { readonly kind: "send"; readonly node: Extract<AnyProcess, { kind: "Send" | "SyncSend" }> }
  | { readonly kind: "receive"; readonly bind: AnyBind }
  | { readonly kind: "contract"; readonly node: Extract<AnyProcess, { kind: "Contract" }> }
  | { readonly kind: "value" };

/** One occurrence of a name. */
export interface Reference {
  readonly span: Span;
  readonly use: Use;
}

/** A variable of a program: where it is declared, where it is seen, where it is used. */
export interface NameSymbol {
  readonly name: string;
  readonly isName: boolean;
  readonly origin: BindingKind;
  readonly declaration: Span;
  /** The construct in which it may be used, its declaration included. */
  readonly scope: Span;
  /** The URI of a `new` with one. */
  readonly uri: string | undefined;
  /** Which it hides. */
  readonly shadowed: NameSymbol | undefined;
  /** Whether it is declared in a part of a pattern that only describes a shape. */
  readonly isInPattern: boolean;
  readonly references: Reference[];
}

/** The known facts about the names of a program. */
export interface Analysis {
  /** In the order of their declarations. */
  readonly symbols: readonly NameSymbol[];
  /** The symbol of each place at which one is declared or used, by the place's offset. */
  readonly at: ReadonlyMap<number, NameSymbol>;
}
