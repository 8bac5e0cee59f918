import type { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import type {
  BindPattern,
  Connective,
  Expr,
  KeyValuePair,
  ListParWithRandom,
  Par,
  Receive,
  Send,
} from "@vedette/terms";
import { firstBits } from "../event/firstBits.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { type Finder, type KeyedValue, type Look, RangeLook } from "./finders.js";
import { guardNeeds, orderedOf } from "./guardLooks.js";
import { exprLook, nameLook } from "./plainLooks.js";

/** The maximum of elements of a list or tuple, and of sent data, that are read. */
const maxElements = 8;

/** The nesting depth of lists and sends that is read. */
const maxDepth = 3;

/** The maximum of looks that are recorded for one pattern. */
const maxLooks = 8;

/**
 * Returns the looks that a pattern requires: plain values at places, beside other processes, or as keys, and the kinds
 * of such values; or else the kinds of lists, or the number of values. The matcher of either dialect refuses every
 * datum that lacks one of them among {@link looksOfData}.
 *
 * @spec 22 §2.1
 * @returns each once; none if the pattern has no looks
 */
export function looksOfPattern({ patterns, remainder }: BindPattern): readonly string[] {
  const values = new Set<string>();
  const kinds = new Set<string>();
  const found = new ValueLooks(values, kinds, hasMore);
  for (let at = 0; at < patterns.length; at += 1) found.add(patterns[at]!, `${at}`);
  // A value is rarer than a kind, and so finds fewer patterns.
  const looks = values.size > 0 ? values : kinds;
  if (looks.size > 0) return looks.size > maxLooks ? [...looks].slice(0, maxLooks) : [...looks];
  for (let at = 0; at < patterns.length; at += 1) {
    const list = listOf(patterns[at]!, hasMore);
    if (list !== undefined && (list.kind === "ETuple" || list.remainder === undefined))
      return [`${at}${list.kind}${list.ps.length}`];
  }
  return remainder === undefined ? [`#${patterns.length}`] : [];
}

/** All that a pattern can want of a datum, and find there; each once. */
export function looksOfData({ pars }: ListParWithRandom): readonly string[] {
  const looks = new Set([`#${pars.length}`]);
  const values = new ValueLooks(looks, looks, hasMoreInData);
  for (let at = 0; at < pars.length; at += 1) {
    const list = listOf(pars[at]!, hasMoreInData);
    if (list !== undefined) looks.add(`${at}${list.kind}${list.ps.length}`);
    values.add(pars[at]!, `${at}`);
    if (!pars[at]!.exprs.every(({ kind }) => plainKinds.has(kind))) looks.add(`${at}${notPlain}`);
  }
  return [...looks];
}

/** Returns whether a process has other parts than expressions, unforgeable names and sends. */
type HasMore = (par: Par) => boolean;

/** The plain values in a process, and kinds of expressions, each with the path to it. */
class ValueLooks {
  readonly #looks: Set<string>;
  readonly #kinds: Set<string>;
  readonly #hasMore: HasMore;

  constructor(looks: Set<string>, kinds: Set<string>, hasOther: HasMore) {
    this.#looks = looks;
    this.#kinds = kinds;
    this.#hasMore = hasOther;
  }

  /** Adds the looks of parallel parts: a pattern's parts are looked for among those of a datum. */
  add({ sends, receives, exprs, unforgeables, connectives, connectiveUsed }: Par, path: string, depth = 0): void {
    for (const expr of exprs) {
      const value = exprLook(expr);
      if (value === undefined) this.#addOther(expr, path, depth + 1);
      else {
        this.#looks.add(`${path}=${value}`);
        this.#kinds.add(`${path}~${expr.kind}`);
      }
    }
    for (const name of unforgeables) if (name.kind === "GPrivate") this.#looks.add(`${path}=${nameLook(name)}`);
    if (depth < maxDepth) this.#addOperations(sends, receives, path, depth + 1);
    if (connectiveUsed) for (const connective of connectives) this.#addConnective(connective, path, depth);
  }

  #addOperations(sends: readonly Send[], receives: readonly Receive[], path: string, depth: number): void {
    for (const { chan, data } of sends) {
      this.#addEach([chan], `${path}@`, depth);
      this.#addEach(data, `${path}!`, depth);
    }
    // Binds are matched in any order.
    for (const { binds } of receives) for (const { source } of binds) this.add(source, `${path}<-`, depth);
  }

  /** Adds the looks of a connective: its datum has a part of the kind, or one that fits all of a conjunction. */
  #addConnective(connective: Connective, path: string, depth: number): void {
    if (connective.kind === "ConnectiveType") this.#kinds.add(`${path}~${typeKinds[connective.typeName]}`);
    else if (connective.kind === "ConnectiveAnd") for (const part of connective.ps) this.add(part, path, depth);
  }

  #addOther(expr: Expr, path: string, depth: number): void {
    if (depth > maxDepth) return;
    if (expr.kind === "EList" || expr.kind === "ETuple") this.#addEach(expr.ps, `${path}.`, depth);
    else if (expr.kind === "ESet") for (const element of expr.ps) this.add(element, `${path}<`, depth);
    else if (expr.kind === "EMap") this.#addEntries(expr.kvs, path);
  }

  #addEach(pars: readonly Par[], path: string, depth: number): void {
    for (let at = 0; at < Math.min(pars.length, maxElements); at += 1) this.add(pars[at]!, `${path}${at}`, depth);
  }

  /** Adds the keys of a map, also with their values if these are plain. */
  #addEntries(entries: readonly KeyValuePair[], path: string): void {
    for (const entry of entries) {
      const key = valueLook(entry.key, this.#hasMore);
      if (key === undefined) continue;
      this.#looks.add(`${path}{${key}`);
      const value = valueLook(entry.value, this.#hasMore);
      if (value !== undefined) this.#looks.add(`${path}{${key.length}${key}=${value}`);
    }
  }
}

const typeKinds = {
  Bool: "GBool",
  Int: "GInt",
  String: "GString",
  Uri: "GUri",
  ByteArray: "GByteArray",
} as const satisfies Record<string, Expr["kind"]>;

const plainKinds: ReadonlySet<Expr["kind"]> = new Set(Object.values(typeKinds));

/** By the first bits of the event that something in a space comes from; replay looks for it by that. */
export function sourceLook({ hash }: ConsumeEvent | ProduceEvent): number {
  return firstBits(hash);
}

/** The look of a pattern without requirements: it is tried with all data. */
export const anyLook = "any";

/** The look of every continuation with a guard: where data are passed over, any of them may matter (61 §3). */
export const guardedLook = "guarded";

/** A datum has an expression at a place that is no plain value. */
const notPlain = "?";

/** By which looks the indexes of a space find what lies and waits in it. */
export interface Looks {
  readonly ofDatum: (datum: Datum) => readonly Look[];
  readonly ofWaiting: (waiting: WaitingContinuation) => readonly Finder[];
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
function looksOfWaiting({ patterns, continuation, source }: WaitingContinuation): Finder[] {
  const { guard } = continuation;
  const looks: Finder[] = guard === undefined ? patterns.map(looksOfBind) : looksOfGuarded(guard, patterns);
  looks.push(sourceLook(source));
  return looks;
}

function looksOfBind(pattern: BindPattern, bind: number): Look | readonly Look[] {
  const wanted = looksOfPattern(pattern);
  return wanted.length === 0 ? `${bind}:${anyLook}` : wanted.map((look) => `${bind}:${look}`);
}

/** Returns the looks of a pattern with a guard. A value that is not plain may become plain when the guard evaluates it. */
function looksOfGuarded(guard: Par, patterns: readonly BindPattern[]): Finder[] {
  const looks: Finder[] = [guardedLook];
  const needs = guardNeeds(guard, patterns);
  for (let bind = 0; bind < patterns.length; bind += 1) {
    const wanted = looksOfPattern(patterns[bind]!).map((look) => `${bind}:${look}`);
    const look = needs.looks.find((one) => one.bind === bind);
    const range = needs.ranges.find((one) => one.bind === bind);
    if (look !== undefined)
      looks.push([`${bind}:${look.at}=${look.value}`, ...wanted], `${bind}:${look.at}${notPlain}`);
    else if (range !== undefined) {
      const { at, kind } = range;
      looks.push(new RangeLook(`${bind}:${at}${kind}`, range.range, wanted), `${bind}:${at}${notPlain}`);
    } else looks.push(looksOfBind(patterns[bind]!, bind));
  }
  return looks;
}

/** The values of a datum that the guard of a bind may compare. */
export function valuesOfData({ pars }: ListParWithRandom, bind: number): readonly KeyedValue[] {
  const values: KeyedValue[] = [];
  for (let at = 0; at < pars.length; at += 1) {
    const [expr, ...others] = pars[at]!.exprs;
    const ordered = expr === undefined || others.length > 0 ? undefined : orderedOf(expr);
    if (ordered !== undefined) values.push({ key: `${bind}:${at}${ordered.kind}`, value: ordered.value });
  }
  return values;
}

/** A process that is one plain value and nothing else. */
function valueLook(par: Par, hasOther: HasMore): string | undefined {
  const { sends, exprs, unforgeables } = par;
  if (exprs.length + unforgeables.length !== 1 || sends.length > 0 || hasOther(par)) return undefined;
  const name = unforgeables[0];
  if (name === undefined) return exprLook(exprs[0]!);
  return name.kind === "GPrivate" ? nameLook(name) : undefined;
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
