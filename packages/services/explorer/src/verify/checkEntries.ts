import { fromHex, toHex } from "@vedette/client";
import { type StateContinuation, type StateKind, type StateProofJson, verifyStateProof } from "@vedette/client/proof";
import { equalBytes } from "@vedette/crypto";
import type { Dialect } from "@vedette/protocol";
import type { Par } from "@vedette/terms";
import type { Continuation, RenderedTerm, StateEntriesResponse, WaitingDatum } from "../data/stateEntries.js";
import { channelOfGiven, type GivenName } from "./givenName.js";
import { LieError } from "./LieError.js";
import { type ProofTerms, proofTerms } from "./proofTerms.js";

/** A node's answer about a name after a block. */
export interface CheckedEntries {
  readonly kind: "data" | "continuations";
  readonly blockHash: string;
  /** The user's request. */
  readonly given: GivenName;
  readonly reported: Pick<StateEntriesResponse<WaitingDatum | Continuation>, "names" | "entries" | "count" | "proof">;
}

/**
 * Checks entries of a name by their proof, from the hash of the block on.
 *
 * @param named the bytes that the hash of the requested name is made of; `undefined` where only the node knows it
 * @throws {StateProofError} where the proof does not lead from the block to entries
 * @throws {LieError} where it leads to others
 */
export function checkEntries(
  { kind, blockHash, given, reported }: CheckedEntries,
  dialect: Pick<Dialect, "name">,
  named = channelOfGiven(given, proofTerms[dialect.name].form),
) {
  const terms = proofTerms[dialect.name];
  const [name] = reported.names;
  if (name?.bytes === undefined || reported.proof === undefined)
    throw new LieError({
      field: "proof",
      reported: "entries",
      shown: "no proof of them",
      evidence: "the node's answer",
    });
  const channel = terms.channelOf(fromHex(name.bytes));
  const evidence = `the proof from block ${blockHash}`;
  if (named !== undefined && !equalBytes(channel, named))
    throw new LieError({ field: "names", reported: name.rholang ?? name.bytes, shown: given.of, evidence });
  const question = { kind, channels: [channel] } satisfies { kind: StateKind; channels: Uint8Array[] };
  const proof = reported.proof satisfies StateProofJson;
  const { items, channels } = verifyStateProof(proof, { blockHash: fromHex(blockHash) }, question, terms.form);
  requireText("names", name, terms.print(channels[0]!), evidence);
  const proven = termsOf(items);
  if (proven.count !== reported.count)
    throw new LieError({ field: "count", reported: String(reported.count), shown: String(proven.count), evidence });
  const persistent = reported.entries.filter(({ isPersistent }) => isPersistent).length;
  if (reported.entries.length === reported.count && persistent !== proven.persistent)
    throw new LieError({
      ...{ field: "isPersistent", reported: `${persistent} entries`, shown: `${proven.persistent} entries` },
      evidence,
    });
  compareTerms(reported.entries.flatMap(termsOfEntry), proven.terms, { terms, evidence });
  const [count, noun] = [proven.count, proven.count === 1 ? "entry" : "entries"];
  const found = count === 0 ? "nothing is there" : `${count} ${noun}, as shown here`;
  return {
    checked: [`a Merkle proof leads from the hash of the block over its state to the name: ${found}`],
    left: named === undefined ? ["that the name is the requested one: only the node looked it up"] : [],
  };
}

type Items = ReturnType<typeof verifyStateProof>["items"];

interface ProvenTerm {
  readonly par: Par;
  /** Names that the receive binds around a body, with numbers that come first. */
  readonly boundShift?: number;
}

interface ProvenEntries {
  readonly count: number;
  readonly persistent: number;
  readonly terms: readonly ProvenTerm[];
}

function termsOf(items: Items): ProvenEntries {
  if (items.kind === "joins")
    return { count: items.joins.length, persistent: 0, terms: items.joins.flat().map((par) => ({ par })) };
  const all = items.kind === "data" ? items.data : items.continuations;
  const terms =
    items.kind === "data"
      ? items.data.flatMap(({ pars }) => pars.map((par) => ({ par })))
      : items.continuations.flatMap(termsOfReceive);
  return { count: all.length, persistent: all.filter(({ persist }) => persist).length, terms };
}

function termsOfReceive({ patterns, continuation }: StateContinuation): readonly ProvenTerm[] {
  const boundShift = patterns.reduce((count, { freeCount }) => count + freeCount, 0);
  const body = continuation.kind === "ParContinuation" ? [{ par: continuation.value.body, boundShift }] : [];
  return [...patterns.flatMap(({ patterns: pars }) => pars.map((par) => ({ par }))), ...body];
}

interface ReportedTerm extends RenderedTerm {
  readonly field: string;
}

function termsOfEntry(entry: WaitingDatum | Continuation, index: number): ReportedTerm[] {
  const field = `entries[${index}]`;
  if ("values" in entry) return entry.values.map((term) => ({ ...term, field: `${field}.values` }));
  const patterns = entry.binds.flatMap((bind) =>
    bind.patterns.map((term) => ({ ...term, field: `${field}.patterns` })),
  );
  return entry.body === null ? patterns : [...patterns, { ...entry.body, field: `${field}.body` }];
}

function compareTerms(
  reported: readonly ReportedTerm[],
  proven: readonly ProvenTerm[],
  { terms, evidence }: { readonly terms: ProofTerms; readonly evidence: string },
): void {
  const left = proven.map((term) => ({ ...term, bytes: terms.bytesOf(term.par).map(toHex) }));
  for (const term of reported) {
    const index = left.findIndex(({ bytes }) => bytes.includes(term.bytes ?? ""));
    const [found] = left.splice(index, index < 0 ? 0 : 1);
    const claim = term.rholang ?? "a term";
    if (found === undefined)
      throw new LieError({ field: term.field, reported: claim, shown: "not in the state", evidence });
    requireText(term.field, term, terms.print(found.par, { boundShift: found.boundShift ?? 0 }), evidence);
  }
}

/** The printed text must be the proven one; the node prints no large terms. */
function requireText(field: string, { rholang }: RenderedTerm, shown: string, evidence: string): void {
  if (rholang !== null && rholang !== shown) throw new LieError({ field, reported: rholang, shown, evidence });
}
