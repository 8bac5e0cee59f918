import type { DeployEffectOutcome, DeployFact } from "@vedette/api";
import { asiToken, type NativeToken, printTokens } from "../value/nativeToken.js";

/** A piece of a sentence: plain words, the address of a vault, or what is written as in a program. */
export type FactPart = string | { readonly address: string } | { readonly code: string };

/** Most facts of a deploy in one line. */
const maxReportedFacts = 3;

/**
 * Describes the effects of a deploy in one line, as `1111… sent 12.5 ASI to 1111…`.
 *
 * @param facts as `/v2/deploy/{id}` returns them (`summary`)
 */
export function deploySummaryText(facts: readonly DeployFact[], token?: NativeToken): string {
  const texts = facts.slice(0, maxReportedFacts).map((fact) => deployFactText(fact, token));
  const more = facts.length - texts.length;
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** Describes one effect of a deploy, in plain words. */
export function deployFactText(fact: DeployFact, token?: NativeToken): string {
  return deployFactParts(fact, token)
    .map((part) => (typeof part === "string" ? part : "code" in part ? part.code : part.address))
    .join("");
}

/** As {@link deployFactText}, in pieces, so that addresses can be shown as links. */
export function deployFactParts(fact: DeployFact, token: NativeToken = asiToken): readonly FactPart[] {
  switch (fact.type) {
    case "failed":
      return [failureText(fact)];
    case "transfer":
      return transferParts(fact, amountText(fact.amount, token));
    case "bond":
      return [verb(fact.outcome, "bonded", "bond"), ` ${amountText(fact.amount, token)}`];
    case "withdraw":
      return [verb(fact.outcome, "withdrew", "withdraw"), " the stake"];
    case "publish":
      return publishParts(fact);
    case "call":
      return callParts(fact);
    case "other":
      return [otherTexts[fact.reason]];
  }
}

/** Many reasons of interpreters begin with a word that adds nothing here. */
function failureText({ reason, line }: Extract<DeployFact, { type: "failed" }>): string {
  const why = reason === null ? "" : `: ${reason.replace(/^Error: /, "")}`;
  return `failed${why}${line === null ? "" : `, at line ${line}`}`;
}

function transferParts(fact: Extract<DeployFact, { type: "transfer" }>, amount: string): FactPart[] {
  const { from, to, outcome, reason } = fact;
  const recipient: FactPart = to === null ? "an address that the program computes" : { address: to };
  if (outcome === "done" && from !== null) return [{ address: from }, ` sent ${amount} to `, recipient];
  const sender: FactPart[] = from === null ? [] : [" from ", { address: from }];
  const why = outcome === "undone" && reason !== null ? [`: ${reason}`] : [];
  return [`${verb(outcome, "sent", "send")} ${amount}`, ...sender, " to ", recipient, ...why];
}

function publishParts({ uri, channel, outcome }: Extract<DeployFact, { type: "publish" }>): FactPart[] {
  const done = said(outcome, "published", "publish");
  if (channel !== null) return [`${done} a contract at `, { code: channel }];
  return uri === null ? [`${done} a value in the registry`] : [`${done} a value under `, { code: uri }];
}

function callParts({ uri, channel, method, outcome }: Extract<DeployFact, { type: "call" }>): FactPart[] {
  if (uri === null) return [`${said(outcome, "sent", "send")} to `, { code: channel ?? "a name" }];
  return [
    `${said(outcome, "called", "call")} `,
    { code: uri },
    ...(method === null ? [] : [", method ", { code: method }]),
  ];
}

/** For effects that others decide on: a program that ran has only requested them. */
function verb(outcome: DeployEffectOutcome, past: string, infinitive: string): string {
  return outcome === "ran" ? `asked to ${infinitive}` : said(outcome, past, infinitive);
}

/** For effects that a program makes itself. */
function said(outcome: DeployEffectOutcome, past: string, infinitive: string): string {
  if (outcome === "asked") return `is to ${infinitive}`;
  return outcome === "undone" ? `did not ${infinitive}` : past;
}

function amountText(amount: bigint | null, { decimals, symbol }: NativeToken): string {
  if (amount === null) return "an amount that the program computes";
  const [whole = "", rest] = printTokens(amount, decimals).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest === undefined ? "" : `.${rest}`} ${symbol}`;
}

const otherTexts: Readonly<Record<Extract<DeployFact, { type: "other" }>["reason"], string>> = {
  tooLarge: "does more than fits in a summary",
  unreadable: "has a program that does not compile",
  depends: "does more, depending on values that are not in its program",
  unrecognized: "runs a program of another kind",
};
