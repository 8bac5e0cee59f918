import { type JsonValue, printJson } from "@vedette/api/values";
import { equalBytes } from "@vedette/crypto";
import { type BindPattern, channelHash, encodePar, type Par } from "@vedette/terms";
import {
  channelsHash,
  continuationsKey,
  type Datum,
  dataKey,
  emptyRoot,
  joinsKey,
  proveKey,
  readOnlyView,
  type StateProof,
  type StateStore,
  type WaitingContinuation,
} from "@vedette/tuplespace";
import { NameError, type NameGiven, nameGiven, type UriPlace } from "./stateName.js";
import { toldTerm } from "./toldTerm.js";

/** What is asked of a state. Plain values, so that it can cross threads. */
export interface EntriesCall {
  readonly root: Uint8Array;
  readonly kind: "data" | "continuations" | "joins";
  /** One, or those of a receive. */
  readonly names: readonly NameGiven[];
  readonly withBytes: boolean;
  readonly withProof: boolean;
  /** Entries to tell; all are counted. */
  readonly most: number;
  readonly timeoutMs: number;
}

/** What a state holds below names. */
export type EntriesAnswer =
  | {
      readonly kind: "entries";
      /** Canonical bytes of the names. */
      readonly channels: readonly Uint8Array[];
      /** The names and the entries as JSON texts. */
      readonly names: readonly string[];
      readonly entries: readonly string[];
      readonly count: number;
      readonly proof: StateProof | undefined;
    }
  | { readonly kind: "badName"; readonly index: number; readonly problem: string }
  | { readonly kind: "noState" };

/**
 * Reads the entries of a state below names, with the proof where it is wanted.
 *
 * @throws {LeafError}, {HistoryError} when the state on disk is damaged
 * @spec 30 §10
 */
export function stateEntries(call: EntriesCall, place: UriPlace): EntriesAnswer {
  const { state, root } = place;
  if (!isThere(state, root)) return { kind: "noState" };
  const names: Par[] = [];
  for (const [index, given] of call.names.entries()) {
    try {
      names.push(nameGiven(given, place));
    } catch (error) {
      if (!(error instanceof NameError)) throw error;
      return { kind: "badName", index, problem: error.message };
    }
  }
  const all = entriesOf(state, call, names);
  return {
    kind: "entries",
    channels: names.map(encodePar),
    names: names.map((name) => printJson(toldTerm(name, true))),
    entries: all.slice(0, call.most).map((tell) => printJson(tell())),
    count: all.length,
    proof: call.withProof ? proveKey(state, root, keyOf(call.kind, names)) : undefined,
  };
}

/** Whether a state can be read: its root may be recorded before its nodes have arrived. @spec 30 §6.7(5) */
export function isThere(state: StateStore, root: Uint8Array): boolean {
  return state.hasRoot(root) && (equalBytes(root, emptyRoot) || state.findNode(root) !== undefined);
}

function keyOf(kind: EntriesCall["kind"], names: readonly Par[]): Uint8Array {
  const hashes = names.map(channelHash);
  switch (kind) {
    case "data":
      return dataKey(hashes[0]!);
    case "continuations":
      return continuationsKey(channelsHash(hashes));
    case "joins":
      return joinsKey(hashes[0]!);
  }
}

function entriesOf(
  state: StateStore,
  { kind, root, withBytes }: EntriesCall,
  names: readonly Par[],
): readonly (() => JsonValue)[] {
  const view = readOnlyView(state, root);
  switch (kind) {
    case "data":
      return view.data(names[0]!).map((datum) => () => toldDatum(datum, withBytes));
    case "continuations":
      return view.continuations(names).map((waiting) => () => toldContinuation(waiting, withBytes));
    case "joins":
      return view.joins(names[0]!).map((join) => () => ({ names: join.map((name) => toldTerm(name, withBytes)) }));
  }
}

function toldDatum({ a, persist }: Datum, withBytes: boolean): JsonValue {
  return { values: a.pars.map((par) => toldTerm(par, withBytes)), isPersistent: persist };
}

function toldContinuation(waiting: WaitingContinuation, withBytes: boolean): JsonValue {
  const { continuation, patterns } = waiting;
  const bound = patterns.reduce((count, { freeCount }) => count + freeCount, 0);
  return {
    binds: patterns.map((pattern) => toldBind(pattern, withBytes)),
    body:
      continuation.kind === "ParContinuation"
        ? toldTerm(continuation.value.body, withBytes, { boundShift: bound })
        : null,
    isPersistent: waiting.persist,
    peeks: waiting.peeks,
  };
}

function toldBind({ patterns, remainder }: BindPattern, withBytes: boolean): JsonValue {
  return {
    patterns: patterns.map((pattern) => toldTerm(pattern, withBytes)),
    hasRemainder: remainder !== undefined,
  };
}
