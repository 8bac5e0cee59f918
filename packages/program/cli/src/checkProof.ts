import { f1r3nodeExprOf, type JsonValue, printJson, type RhoExpr, rhoExprOf } from "@vedette/api";
import {
  type ProofForm,
  type ProvenState,
  rnodeProofs,
  type StateItems,
  type StateKind,
  StateProofError,
  type TrustedHash,
  verifyStateProof,
} from "@vedette/client/proof";
import { f1r3nodeProofs } from "@vedette/client/rust-proofs";
import type { DialectName } from "@vedette/config";
import { toHex } from "@vedette/crypto";
import { f1r3nodeInterpreter, type Grammar, rnodeInterpreter } from "@vedette/rholang";
import { type Par, PrintError, type TermCodec } from "@vedette/terms";
import { exitCodes } from "./exitCodes.js";

/** Where a command writes: one line at a time. */
export type PrintLine = (line: string) => void;

/** `vedette verify-proof`: whether a proof shows what it claims. */
export interface VerifyProofCommand {
  readonly command: "verify-proof";
  /** JSON: a proof, or the answer of a node that has one. */
  readonly text: string;
  readonly trusted: TrustedHash;
  /** Rholang texts of the processes with requested quotations; empty to accept any name. */
  readonly names: readonly string[];
  readonly kind: StateKind | undefined;
  /** Dialect of the network, from the user: a proof's own statement would prove nothing. */
  readonly dialect: DialectName;
  readonly json: boolean;
}

/** How names and terms of a dialect are read and shown. */
interface ProofDialect {
  readonly proofs: ProofForm;
  readonly grammar: Grammar;
  readonly terms: TermCodec;
  readonly shown: (par: Par) => RhoExpr | undefined;
}

const dialects: Readonly<Record<VerifyProofCommand["dialect"], ProofDialect>> = {
  rnode: { proofs: rnodeProofs, ...rnodeInterpreter, shown: rhoExprOf },
  f1r3node: { proofs: f1r3nodeProofs, ...f1r3nodeInterpreter, shown: f1r3nodeExprOf },
};

/** Checks a proof and prints what it shows; wants a deep stack. @returns the exit code @spec 30 §10.5 */
export function checkProof(command: VerifyProofCommand, print: PrintLine): number {
  let proven: ProvenState;
  const dialect = dialects[command.dialect];
  try {
    proven = verifyStateProof(proofIn(command.text), command.trusted, undefined, dialect.proofs);
    checkRequested(command, proven, dialect);
  } catch (error) {
    if (!(error instanceof StateProofError)) throw error;
    print(
      command.json
        ? JSON.stringify({ holds: false, failure: error.failure.code, message: error.message })
        : `The proof does not hold: ${error.message}.`,
    );
    return exitCodes.failure;
  }
  if (command.json) print(printJson(provenJson(proven, dialect)));
  else for (const line of provenLines(proven, dialect)) print(line);
  return exitCodes.success;
}

function proofIn(text: string): unknown {
  const json = parsed(text);
  const isAnswer = typeof json === "object" && json !== null && !("format" in json) && "proof" in json;
  return isAnswer ? json.proof : json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StateProofError({ code: "form", field: "text", problem: "is no JSON" }, { cause });
  }
}

function checkRequested(
  { names, kind }: VerifyProofCommand,
  { channels, items }: ProvenState,
  { grammar, proofs }: ProofDialect,
): void {
  const hexOf = (channel: Par) => toHex(proofs.encodeChannel(channel));
  const asked = names.map((name) => hexOf(grammar.compile(name.replace(/^\s*@/, ""))));
  const isNamed = asked.length === 0 || sameTexts(asked, channels.map(hexOf));
  if (!isNamed || (kind !== undefined && kind !== items.kind)) throw new StateProofError({ code: "otherQuestion" });
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && [...some].sort().join() === [...others].sort().join();
}

function provenJson({ root, block, channels, isPresent, items }: ProvenState, dialect: ProofDialect): JsonValue {
  return {
    holds: true,
    root: toHex(root),
    block: block === undefined ? null : { hash: toHex(block.hash), number: block.number, state: block.state },
    kind: items.kind,
    names: channels.map((channel) => termJson(channel, dialect)),
    isPresent,
    entries: entriesJson(items, (par) => termJson(par, dialect)),
  };
}

function entriesJson(items: StateItems, toJson: (par: Par) => JsonValue): readonly JsonValue[] {
  switch (items.kind) {
    case "data":
      return items.data.map(({ pars, persist }) => ({ values: pars.map(toJson), isPersistent: persist }));
    case "continuations":
      return items.continuations.map(({ patterns, continuation, persist, peeks }) => ({
        patterns: patterns.map((bind) => bind.patterns.map(toJson)),
        body: continuation.kind === "ParContinuation" ? toJson(continuation.value.body) : null,
        isPersistent: persist,
        peeks,
      }));
    case "joins":
      return items.joins.map((names) => ({ names: names.map(toJson) }));
  }
}

function termJson(par: Par, { shown, terms }: ProofDialect): JsonValue {
  return { expr: shown(par) ?? null, rholang: textOf(par, terms) };
}

function provenLines({ root, block, channels, isPresent, items }: ProvenState, { terms }: ProofDialect): string[] {
  const shown = (par: Par) => textOf(par, terms);
  const names = channels.map((channel) => `@{${shown(channel)}}`).join(" & ");
  return [
    "The proof holds.",
    `state  ${toHex(root)}`,
    ...(block === undefined ? [] : [`block  ${toHex(block.hash)} (${block.number}), ${block.state}-state`]),
    `name   ${names}`,
    `${items.kind}: ${isPresent ? entryTexts(items, shown).length : "none; the state has no entry there"}`,
    ...entryTexts(items, shown).map((text) => `  ${text.replaceAll("\n", "\n  ")}`),
  ];
}

function entryTexts(items: StateItems, shown: (par: Par) => string): string[] {
  switch (items.kind) {
    case "data":
      return items.data.map(({ pars, persist }) => `${persist ? "!!" : "!"}(${pars.map(shown).join(", ")})`);
    case "continuations":
      return items.continuations.map(({ continuation, persist, patterns }) => {
        const binds = patterns.map((bind) => bind.patterns.map(shown).join(", ")).join("; ");
        const body = continuation.kind === "ParContinuation" ? shown(continuation.value.body) : "a built-in process";
        return `for (${binds} ${persist ? "<=" : "<-"} …) { ${body} }`;
      });
    case "joins":
      return items.joins.map((names) => names.map((name) => `@{${shown(name)}}`).join(" & "));
  }
}

function textOf(par: Par, { printPar }: TermCodec): string {
  try {
    return printPar(par);
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}
