import type { NetworkDialect } from "@vedette/client";

/** The requests to the language worker. Offsets are in UTF-16 units. */
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

/** A proposal for a place in the text. */
export interface Proposed {
  readonly label: string;
  readonly kind: "method" | "channel" | "name";
  readonly about: string;
}

/** The answer to each request; `undefined` if there is none. */
export interface LanguageAnswers {
  readonly check: readonly Remark[];
  readonly format: string;
  readonly propose: readonly Proposed[];
  readonly hover: { readonly start: number; readonly end: number; readonly text: string } | undefined;
}

export type LanguageReply =
  | { readonly id: number; readonly answer: LanguageAnswers[keyof LanguageAnswers] }
  | { readonly id: number; readonly problem: string };
