import type { NetworkDialect } from "@vedette/client";

/** What is asked of the worker that knows the language. Offsets are in UTF-16 units. */
export type LanguageRequest = { readonly id: number; readonly dialect: NetworkDialect; readonly source: string } & (
  | { readonly kind: "check" | "format" }
  | { readonly kind: "propose" | "hover"; readonly offset: number }
);

/** A remark about a program. */
export interface Remark {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** What may be written at a place. */
export interface Proposed {
  readonly label: string;
  readonly kind: "method" | "channel" | "name";
  readonly about: string;
}

/** What each question is answered with; `undefined` where there is nothing to say. */
export interface LanguageAnswers {
  readonly check: readonly Remark[];
  readonly format: string;
  readonly propose: readonly Proposed[];
  readonly hover: { readonly start: number; readonly end: number; readonly text: string } | undefined;
}

export type LanguageReply =
  | { readonly id: number; readonly answer: LanguageAnswers[keyof LanguageAnswers] }
  | { readonly id: number; readonly problem: string };
