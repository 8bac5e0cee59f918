import { type JsonValue, printJson, rhoExprOf } from "@vedette/api";
import {
  type ProvenState,
  type StateItems,
  type StateKind,
  StateProofError,
  type TrustedHash,
  verifyStateProof,
} from "@vedette/client/proof";
import { toHex } from "@vedette/crypto";
import { compile } from "@vedette/rholang";
import { encodePar, type Par, PrintError, printPar } from "@vedette/terms";
import { exitCodes } from "./exitCodes.js";

/** Where a command writes: one line at a time. */
export type PrintLine = (line: string) => void;

/** `vedette verify-proof`: whether a proof shows what it claims. */
export interface VerifyProofCommand {
  readonly command: "verify-proof";
  /** JSON: a proof, or the answer of a node that has one. */
  readonly text: string;
  readonly trusted: TrustedHash;
  /** Rholang texts of the processes whose quotations were asked for; empty when anything is welcome. */
  readonly names: readonly string[];
  readonly kind: StateKind | undefined;
  readonly json: boolean;
}

/** Checks a proof and prints what it shows; wants a deep stack. @returns the exit code @spec 30 §10.5 */
export function checkProof(command: VerifyProofCommand, print: PrintLine): number {
  let proven: ProvenState;
  try {
    proven = verifyStateProof(proofIn(command.text), command.trusted);
    checkAsked(command, proven);
  } catch (error) {
    if (!(error instanceof StateProofError)) throw error;
    print(
      command.json
        ? JSON.stringify({ holds: false, failure: error.failure.code, message: error.message })
        : `The proof does not hold: ${error.message}.`,
    );
    return exitCodes.failure;
  }
  if (command.json) print(printJson(provenJson(proven)));
  else for (const line of provenLines(proven)) print(line);
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

function checkAsked({ names, kind }: VerifyProofCommand, { channels, items }: ProvenState): void {
  const asked = names.map((name) => toHex(encodePar(compile(name.replace(/^\s*@/, "")))));
  const isNamed = asked.length === 0 || sameTexts(asked, channels.map(encodePar).map(toHex));
  if (!isNamed || (kind !== undefined && kind !== items.kind)) throw new StateProofError({ code: "otherQuestion" });
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && [...some].sort().join() === [...others].sort().join();
}

function provenJson({ root, block, channels, isPresent, items }: ProvenState): JsonValue {
  return {
    holds: true,
    root: toHex(root),
    block: block === undefined ? null : { hash: toHex(block.hash), number: block.number, state: block.state },
    kind: items.kind,
    names: channels.map(told),
    isPresent,
    entries: entriesJson(items),
  };
}

function entriesJson(items: StateItems): readonly JsonValue[] {
  switch (items.kind) {
    case "data":
      return items.data.map(({ pars, persist }) => ({ values: pars.map(told), isPersistent: persist }));
    case "continuations":
      return items.continuations.map(({ patterns, continuation, persist, peeks }) => ({
        patterns: patterns.map((bind) => bind.patterns.map(told)),
        body: continuation.kind === "ParContinuation" ? told(continuation.value.body) : null,
        isPersistent: persist,
        peeks,
      }));
    case "joins":
      return items.joins.map((names) => ({ names: names.map(told) }));
  }
}

function told(par: Par): JsonValue {
  return { expr: rhoExprOf(par) ?? null, rholang: shown(par) };
}

function provenLines({ root, block, channels, isPresent, items }: ProvenState): string[] {
  const names = channels.map((channel) => `@{${shown(channel)}}`).join(" & ");
  return [
    "The proof holds.",
    `state  ${toHex(root)}`,
    ...(block === undefined ? [] : [`block  ${toHex(block.hash)} (${block.number}), ${block.state}-state`]),
    `name   ${names}`,
    `${items.kind}: ${isPresent ? entryTexts(items).length : "none; the state has no entry there"}`,
    ...entryTexts(items).map((text) => `  ${text.replaceAll("\n", "\n  ")}`),
  ];
}

function entryTexts(items: StateItems): string[] {
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

function shown(par: Par): string {
  try {
    return printPar(par);
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}
