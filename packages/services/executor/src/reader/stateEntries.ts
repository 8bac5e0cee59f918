import { type JsonValue, printJson } from "@vedette/api/values";
import { equalBytes } from "@vedette/crypto";
import type { BindPattern, Par } from "@vedette/terms";
import {
  channelsHash,
  continuationsKey,
  type Datum,
  dataKey,
  emptyRoot,
  joinsKey,
  type KeyProof,
  proveKey,
  type ReadOnlyView,
  readOnlyView,
  type StateStore,
  type WaitingContinuation,
} from "@vedette/tuplespace";
import { renderTerm, type TermRenderOptions } from "./renderTerm.js";
import { NameError, type NameGiven, nameGiven, type UriPlace } from "./stateName.js";

/** The query of a state. Plain values, so that it can cross threads. */
export interface EntriesCall {
  readonly root: Uint8Array;
  readonly kind: "data" | "continuations" | "joins";
  /** One, or those of a receive. */
  readonly names: readonly NameGiven[];
  readonly withBytes: boolean;
  readonly withProof: boolean;
  /** Most entries in the answer; all are counted. */
  readonly most: number;
  readonly timeoutMs: number;
}

/** The entries of a state below names. */
export type EntriesAnswer =
  | {
      readonly kind: "entries";
      /** Canonical bytes of the names: what their hashes are made of. */
      readonly channels: readonly Uint8Array[];
      /** The names and the entries as JSON texts. */
      readonly names: readonly string[];
      readonly entries: readonly string[];
      readonly count: number;
      readonly proof: (KeyProof & { readonly format: string }) | undefined;
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
  const options = { forms: place.forms, withBytes: call.withBytes };
  const all = entriesOf(readOnlyView(state, root), { kind: call.kind, names, options });
  return {
    kind: "entries",
    channels: names.map(place.forms.execution.terms.storedPar),
    names: names.map((name) => printJson(renderTerm(name, { ...options, withBytes: true }))),
    entries: all.slice(0, call.most).map((render) => printJson(render())),
    count: all.length,
    proof: call.withProof
      ? {
          format: place.forms.proofFormat,
          ...proveKey(state, root, keyOf(call.kind, names.map(state.form.channelHash))),
        }
      : undefined,
  };
}

/** Whether a state can be read: its root may be recorded before its nodes have arrived. @spec 30 §6.7(5) */
export function isThere(state: StateStore, root: Uint8Array): boolean {
  return state.hasRoot(root) && (equalBytes(root, emptyRoot) || state.findNode(root) !== undefined);
}

function keyOf(kind: EntriesCall["kind"], hashes: readonly Uint8Array[]): Uint8Array {
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
  view: ReadOnlyView,
  {
    kind,
    names,
    options,
  }: { readonly kind: EntriesCall["kind"]; readonly names: readonly Par[]; readonly options: TermRenderOptions },
): readonly (() => JsonValue)[] {
  switch (kind) {
    case "data":
      return view.data(names[0]!).map((datum) => () => renderDatum(datum, options));
    case "continuations":
      return view.continuations(names).map((waiting) => () => renderContinuation(waiting, options));
    case "joins":
      return view.joins(names[0]!).map((join) => () => ({ names: join.map((name) => renderTerm(name, options)) }));
  }
}

function renderDatum({ a, persist }: Datum, options: TermRenderOptions): JsonValue {
  return { values: a.pars.map((par) => renderTerm(par, options)), isPersistent: persist };
}

function renderContinuation(waiting: WaitingContinuation, options: TermRenderOptions): JsonValue {
  const { continuation, patterns } = waiting;
  const bound = patterns.reduce((count, { freeCount }) => count + freeCount, 0);
  return {
    binds: patterns.map((pattern) => renderBind(pattern, options)),
    body:
      continuation.kind === "ParContinuation"
        ? renderTerm(continuation.value.body, options, { boundShift: bound })
        : null,
    isPersistent: waiting.persist,
    peeks: waiting.peeks,
    ...(continuation.guard !== undefined && { hasGuard: true }),
  };
}

function renderBind({ patterns, remainder }: BindPattern, options: TermRenderOptions): JsonValue {
  return {
    patterns: patterns.map((pattern) => renderTerm(pattern, options)),
    hasRemainder: remainder !== undefined,
  };
}
