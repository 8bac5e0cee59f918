import { type ConsumeEvent, hashKey, type ProduceEvent } from "@vedette/protocol";
import type { BindPattern, Expr, KeyValuePair, ListParWithRandom, Par } from "@vedette/terms";
import { firstBits } from "../event/firstBits.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";

/** The maximum of characters of a text or bytes that are read, besides the length. */
const maxCharacters = 256;

/** The maximum of elements of a list or tuple, and of sent data, that are read. */
const maxElements = 8;

/** The nesting depth of lists and sends that is read. */
const maxDepth = 3;

/** The maximum of looks that are recorded for one pattern. */
const maxLooks = 8;

/**
 * Returns the looks that a pattern requires: plain values at places or as keys, or else the kinds of lists, or the
 * number of values. The matcher of either dialect refuses every datum that lacks one of them among {@link looksOfData}.
 *
 * @spec 22 §2.1
 * @returns none if the pattern has no looks
 */
export function looksOfPattern({ patterns, remainder }: BindPattern): readonly string[] {
  const looks: string[] = [];
  const values = new ValueLooks(looks, hasMore);
  for (let at = 0; at < patterns.length; at += 1) values.add(patterns[at]!, `${at}`);
  if (looks.length > 0) return looks.length > maxLooks ? looks.slice(0, maxLooks) : looks;
  for (let at = 0; at < patterns.length; at += 1) {
    const list = listOf(patterns[at]!, hasMore);
    if (list !== undefined && (list.kind === "ETuple" || list.remainder === undefined))
      return [`${at}${list.kind}${list.ps.length}`];
  }
  return remainder === undefined ? [`#${patterns.length}`] : [];
}

/** All that a pattern can want of a datum, and find there. */
export function looksOfData({ pars }: ListParWithRandom): readonly string[] {
  const looks = [`#${pars.length}`];
  const values = new ValueLooks(looks, hasMoreInData);
  for (let at = 0; at < pars.length; at += 1) {
    const list = listOf(pars[at]!, hasMoreInData);
    if (list !== undefined) looks.push(`${at}${list.kind}${list.ps.length}`);
    values.add(pars[at]!, `${at}`);
  }
  return looks;
}

/** Returns whether a process has other parts than expressions, unforgeable names and sends. */
type HasMore = (par: Par) => boolean;

/** The plain values in a process, each with the path to it. */
class ValueLooks {
  readonly #looks: string[];
  readonly #hasMore: HasMore;

  constructor(looks: string[], hasOther: HasMore) {
    this.#looks = looks;
    this.#hasMore = hasOther;
  }

  add(par: Par, path: string, depth = 0): void {
    const { sends, exprs, unforgeables } = par;
    if (sends.length + exprs.length + unforgeables.length !== 1 || this.#hasMore(par)) return;
    const value = valueLook(par, this.#hasMore);
    if (value !== undefined) this.#looks.push(`${path}=${value}`);
    else if (depth < maxDepth) this.#addParts(par, path, depth + 1);
  }

  #addParts({ sends, exprs }: Par, path: string, depth: number): void {
    const [send] = sends;
    if (send !== undefined) {
      this.#addEach([send.chan], `${path}@`, depth);
      this.#addEach(send.data, `${path}!`, depth);
      return;
    }
    const expr = exprs[0];
    if (expr?.kind === "EList" || expr?.kind === "ETuple") this.#addEach(expr.ps, `${path}.`, depth);
    else if (expr?.kind === "ESet") this.#addElements(expr.ps, path);
    else if (expr?.kind === "EMap") this.#addEntries(expr.kvs, path);
  }

  #addEach(pars: readonly Par[], path: string, depth: number): void {
    for (let at = 0; at < Math.min(pars.length, maxElements); at += 1) this.add(pars[at]!, `${path}${at}`, depth);
  }

  /** Adds the elements of a set, at any place. */
  #addElements(elements: readonly Par[], path: string): void {
    for (const element of elements) {
      const value = valueLook(element, this.#hasMore);
      if (value !== undefined) this.#looks.push(`${path}<${value}`);
    }
  }

  /** Adds the keys of a map, also with their values if these are plain. */
  #addEntries(entries: readonly KeyValuePair[], path: string): void {
    for (const entry of entries) {
      const key = valueLook(entry.key, this.#hasMore);
      if (key === undefined) continue;
      this.#looks.push(`${path}{${key}`);
      const value = valueLook(entry.value, this.#hasMore);
      if (value !== undefined) this.#looks.push(`${path}{${key.length}${key}=${value}`);
    }
  }
}

/** Something short that can be seen of what lies or waits. */
export type Look = string | number;

/** By the first bits of the event that something in a space comes from; replay looks for it by that. */
export function sourceLook({ hash }: ConsumeEvent | ProduceEvent): number {
  return firstBits(hash);
}

/** The look of a pattern without requirements: it is tried with all data. */
export const anyLook = "any";

/** By which looks the indexes of a space find what lies and waits in it. */
export interface Looks {
  readonly ofDatum: (datum: Datum) => readonly Look[];
  /** A list is of looks of which it is enough to be found by one. */
  readonly ofWaiting: (waiting: WaitingContinuation) => readonly (Look | readonly Look[])[];
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

/** Returns the looks of a continuation: of its binds, each with its number before it, and of its origin. */
function looksOfWaiting({ patterns, continuation, source }: WaitingContinuation): (Look | readonly Look[])[] {
  // With a guard any datum may matter, also one that does not fit (61 §3).
  const isGuarded = continuation.guard !== undefined;
  const looks: (Look | readonly Look[])[] = patterns.map((pattern, bind) => {
    const wanted = isGuarded ? [] : looksOfPattern(pattern);
    return wanted.length === 0 ? `${bind}:${anyLook}` : wanted.map((look) => `${bind}:${look}`);
  });
  looks.push(sourceLook(source));
  return looks;
}

/** A process that is one plain value and nothing else. */
function valueLook(par: Par, hasOther: HasMore): string | undefined {
  const { sends, exprs, unforgeables } = par;
  if (exprs.length + unforgeables.length !== 1 || sends.length > 0 || hasOther(par)) return undefined;
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
    case "GByteArray":
      return `y${expr.value.length} ${hashKey(expr.value.subarray(0, maxCharacters))}`;
    default:
      return undefined;
  }
}

function textLook(text: string): string {
  return text.length <= maxCharacters ? text : `${text.length} ${text.slice(0, maxCharacters)}`;
}

/** A process that is one list or tuple and nothing else. */
function listOf(par: Par, hasOther: HasMore): Extract<Expr, { kind: "EList" | "ETuple" }> | undefined {
  const expr = par.exprs[0];
  if (par.exprs.length !== 1 || par.unforgeables.length + par.sends.length > 0 || hasOther(par)) return undefined;
  return expr?.kind === "EList" || expr?.kind === "ETuple" ? expr : undefined;
}

function hasMore(par: Par): boolean {
  return hasMoreInData(par) || par.connectives.length > 0 || par.conditionals.length > 0;
}

/** Quirk 61 §6: conditionals and connectives of a target are not always compared. */
function hasMoreInData({ receives, news, matches, bundles }: Par): boolean {
  return receives.length + news.length + matches.length + bundles.length > 0;
}
