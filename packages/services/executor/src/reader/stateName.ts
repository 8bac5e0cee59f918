import { checkVaultAddress } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";
import {
  balanceName,
  type ExecutionDialect,
  exploreDeploy,
  isUri,
  nameOfValue,
  namesBalances,
  noDeployer,
  processLookup,
  registryLookup,
} from "@vedette/execution";
import type { Budget } from "@vedette/rholang";
import { GDeployerId, GDeployId, GPrivate, type Par, parOfUnforgeable, type TermCodec } from "@vedette/terms";
import { type StateStore, StateView } from "@vedette/tuplespace";
import type { StateForms } from "../dialect/StateForms.js";

/**
 * A name as a client gives it: the Rholang text of the process that is quoted, the bytes of its protobuf message, the
 * bytes of an unforgeable name, a URI, or a vault's address for the name that its balance lies on.
 */
export type NameGiven =
  | { readonly form: "rholang" | "uri" | "vault"; readonly text: string }
  | { readonly form: "par" | "private" | "deployId" | "deployerId"; readonly bytes: Uint8Array };

/** Why a text or bytes are no name. */
type NameFailure =
  | { readonly code: "unreadable"; readonly problem: "are no Par" | "cannot be compiled"; readonly reason: string }
  | { readonly code: "notAVault"; readonly reason: string }
  | { readonly code: "privateBalances" }
  | { readonly code: "notAUri" }
  | { readonly code: "unknownUri" };

/** A text or bytes are no name. The message continues a sentence about them. */
export class NameError extends errorClass("NameError", sentence) {}

function sentence(failure: NameFailure): string {
  switch (failure.code) {
    case "unreadable":
      return `${failure.problem}: ${failure.reason}`;
    case "notAVault":
      return `is no address of a vault: ${failure.reason}`;
    case "privateBalances":
      return "cannot be given here: this network's vaults keep balances on private names";
    case "notAUri":
      return "has characters that no URI has";
    case "unknownUri":
      return "is a URI at which this state has no name";
  }
}

/** Where URIs are looked up, and with what. */
export interface UriPlace {
  readonly state: StateStore;
  readonly root: Uint8Array;
  readonly forms: StateForms;
  readonly budget: Budget;
}

/** The canonical form of a name. @throws {NameError} @spec 30 §10.4 */
export function nameGiven(name: NameGiven, place: UriPlace): Par {
  const { execution } = place.forms;
  const { terms } = execution;
  switch (name.form) {
    case "rholang":
      return quoted(name.text, execution);
    case "uri":
      return nameAtUri(name.text, place);
    case "vault":
      return nameOfBalance(name.text, place);
    case "par":
      return reading("are no Par", terms, () => terms.sortPar(terms.decodePar(name.bytes)));
    case "private":
      return parOfUnforgeable(new GPrivate(name.bytes));
    case "deployId":
      return parOfUnforgeable(new GDeployId(name.bytes));
    case "deployerId":
      return parOfUnforgeable(new GDeployerId(name.bytes));
  }
}

/** An `@` in front is understood too. */
function quoted(text: string, { grammar, terms }: ExecutionDialect): Par {
  const source = text.trimStart();
  return reading("cannot be compiled", terms, () => grammar.compile(source.startsWith("@") ? source.slice(1) : source));
}

function nameOfBalance(address: string, { state, root }: UriPlace): Par {
  const fault = checkVaultAddress(address);
  if (fault !== undefined) throw new NameError({ code: "notAVault", reason: fault });
  if (!namesBalances(new StateView(state, root), state.form)) throw new NameError({ code: "privateBalances" });
  return balanceName(address);
}

/** Returns the name that the registry has at a URI, or else that of the built-in process behind it. */
function nameAtUri(uri: string, place: UriPlace): Par {
  if (!isUri(uri)) throw new NameError({ code: "notAUri" });
  for (const source of [registryLookup(uri), processLookup(uri)]) {
    const name = nameOfValue(found(source, place));
    if (name !== undefined) return name;
  }
  throw new NameError({ code: "unknownUri" });
}

function found(source: string, { state, root, forms, budget }: UriPlace): Par | undefined {
  const result = exploreDeploy(state, { root, source, ...noDeployer, form: forms.execution, budget });
  return result.kind === "values" ? result.pars[0] : undefined;
}

function reading(problem: "are no Par" | "cannot be compiled", { encodePar }: TermCodec, read: () => Par): Par {
  try {
    const name = read();
    // A value that cannot be encoded again is not a name.
    encodePar(name);
    return name;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new NameError({ code: "unreadable", problem, reason }, { cause });
  }
}
