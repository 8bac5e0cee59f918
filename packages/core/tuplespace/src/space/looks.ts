import { type ConsumeEvent, hashKey, type ProduceEvent } from "@vedette/protocol";
import type { BindPattern, Expr, ListParWithRandom, Par } from "@vedette/terms";
import { firstBits } from "../event/firstBits.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";

/** Of a text no more characters than these are looked at, besides its length. */
const maxCharacters = 256;

/** Of a list or tuple no more elements than these are looked at. */
const maxElements = 8;

/**
 * What a pattern wants at one place, in short: how many values, which kind of list there, or which plain value. The
 * matcher of either dialect refuses every datum that does not show it among {@link looksOfData}.
 *
 * @spec 22 §2.1
 * @returns `undefined` where nothing short can be said
 */
export function lookOfPattern({ patterns, remainder }: BindPattern): string | undefined {
  let kind: string | undefined;
  for (let at = 0; at < patterns.length; at += 1) {
    const pattern = patterns[at]!;
    const value = valueLook(pattern);
    if (value !== undefined) return `${at}=${value}`;
    const list = listOf(pattern);
    if (list === undefined) continue;
    const element = elementLook(list.ps);
    if (element !== undefined) return `${at}.${element}`;
    if (list.kind === "ETuple" || list.remainder === undefined) kind ??= `${at}${list.kind}${list.ps.length}`;
  }
  return kind ?? (remainder === undefined ? `#${patterns.length}` : undefined);
}

/** All that a pattern can want of a datum, and find there. */
export function looksOfData({ pars }: ListParWithRandom): readonly string[] {
  const looks = [`#${pars.length}`];
  for (let at = 0; at < pars.length; at += 1) {
    const par = pars[at]!;
    const value = valueLook(par);
    if (value !== undefined) {
      looks.push(`${at}=${value}`);
      continue;
    }
    const list = listOf(par);
    if (list === undefined) continue;
    looks.push(`${at}${list.kind}${list.ps.length}`);
    for (let place = 0; place < Math.min(list.ps.length, maxElements); place += 1) {
      const element = valueLook(list.ps[place]!);
      if (element !== undefined) looks.push(`${at}.${place}=${element}`);
    }
  }
  return looks;
}

/** Something short that can be seen of what lies or waits. */
export type Look = string | number;

/** By the first bits of the event that something in a space comes from; replay looks for it by that. */
export function sourceLook({ hash }: ConsumeEvent | ProduceEvent): number {
  return firstBits(hash);
}

/** What wants something short of no datum is tried with all. */
export const anyLook = "any";

/** By which looks the indexes of a space find what lies and waits in it. */
export interface Looks {
  readonly ofDatum: (datum: Datum) => readonly Look[];
  readonly ofWaiting: (waiting: WaitingContinuation) => readonly Look[];
  /** Whether there are those by which patterns and data find each other, and not only where something comes from. */
  readonly showPatterns: boolean;
}

/** Play looks for what fits. */
export const playLooks: Looks = {
  ofDatum: ({ a }) => looksOfData(a),
  ofWaiting: looksOfWaiting,
  showPatterns: true,
};

/** Replay knows from the trace what it looks for. */
export const replayLooks: Looks = {
  ofDatum: ({ source }) => [sourceLook(source)],
  ofWaiting: ({ source }) => [sourceLook(source)],
  showPatterns: false,
};

/** Of a continuation by its binds, each with its number before it, and by where it comes from. */
function looksOfWaiting({ patterns, continuation, source }: WaitingContinuation): readonly Look[] {
  // With a guard any datum may matter, also one that does not fit (61 §3).
  const look = (pattern: BindPattern) => (continuation.guard === undefined ? lookOfPattern(pattern) : undefined);
  return [...patterns.map((pattern, bind) => `${bind}:${look(pattern) ?? anyLook}`), sourceLook(source)];
}

function elementLook(elements: readonly Par[]): string | undefined {
  for (let place = 0; place < Math.min(elements.length, maxElements); place += 1) {
    const value = valueLook(elements[place]!);
    if (value !== undefined) return `${place}=${value}`;
  }
  return undefined;
}

/** A process that is one plain value and nothing else. */
function valueLook(par: Par): string | undefined {
  const { exprs, unforgeables } = par;
  if (exprs.length + unforgeables.length !== 1 || hasMore(par)) return undefined;
  const name = unforgeables[0];
  if (name !== undefined) return name.kind === "GPrivate" ? `n${hashKey(name.id)}` : undefined;
  const expr = exprs[0]!;
  switch (expr.kind) {
    case "GBool":
      return `b${expr.value}`;
    case "GInt":
      return `i${expr.value}`;
    case "GString":
      return `s${textLook(expr.value)}`;
    case "GUri":
      return `u${textLook(expr.value)}`;
    default:
      return undefined;
  }
}

function textLook(text: string): string {
  return text.length <= maxCharacters ? text : `${text.length} ${text.slice(0, maxCharacters)}`;
}

/** A process that is one list or tuple and nothing else. */
function listOf(par: Par): Extract<Expr, { kind: "EList" | "ETuple" }> | undefined {
  const expr = par.exprs[0];
  if (par.exprs.length !== 1 || par.unforgeables.length > 0 || hasMore(par)) return undefined;
  return expr?.kind === "EList" || expr?.kind === "ETuple" ? expr : undefined;
}

function hasMore(par: Par): boolean {
  return (
    par.sends.length > 0 ||
    par.receives.length > 0 ||
    par.news.length > 0 ||
    par.matches.length > 0 ||
    par.bundles.length > 0 ||
    par.connectives.length > 0 ||
    par.conditionals.length > 0
  );
}
