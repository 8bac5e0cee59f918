import { blake2b256, fromHex, registryUri } from "@vedette/crypto";
import { type KnownValue, publicName, unknownValue } from "./KnownValue.js";
import type { ProgramFact } from "./ProgramFact.js";

/** Where the registry has the contracts that a network begins with. @spec 41 §5.1, 61 §11 */
export interface KnownContracts {
  readonly vaults: string;
  readonly proofOfStake: string;
}

/** The effect that a message requests, and the answer to it. */
export interface ReadCall {
  /** `undefined`: it is a part of something that another fact reports, as the search for a vault is. */
  readonly fact: ProgramFact | undefined;
  /** The data that come on one of its names; left out: unknown. */
  readonly answer?: { readonly on: KnownValue | undefined; readonly data: readonly KnownValue[] };
}

/** Reads the effect that a message on a public name requests. */
export function readCall(target: KnownValue, data: readonly KnownValue[], known: KnownContracts): ReadCall {
  switch (target.kind) {
    case "system":
      return readSystemCall(target.urn, data);
    case "contract":
      return readContractCall(target.uri, data, known);
    case "vault":
      return readVaultCall(target.address, data, known);
    default: {
      const channel = publicName(target);
      if (channel === undefined) return { fact: { type: "other", reason: "unrecognized" } };
      return { fact: { type: "call", uri: null, channel, method: methodOf(data) } };
    }
  }
}

/** @spec 21 §7 */
function readSystemCall(urn: string, data: readonly KnownValue[]): ReadCall {
  const [first] = data;
  switch (urn) {
    case "rho:registry:lookup": {
      if (first?.kind !== "uri") return { fact: undefined };
      return { fact: undefined, answer: { on: data[1], data: [{ kind: "contract", uri: first.value }] } };
    }
    case "rho:registry:insertArbitrary":
      return { fact: { type: "publish", uri: null, channel: null } };
    case "rho:registry:insertSigned:secp256k1":
      return { fact: { type: "publish", uri: uriOfKey(first), channel: null } };
    default:
      return { fact: { type: "call", uri: urn, channel: null, method: null } };
  }
}

/** @spec 21 §7.7 */
function uriOfKey(key: KnownValue | undefined): string | null {
  const isHex = key?.kind === "bytes" && /^([0-9a-fA-F]{2}){1,100}$/.test(key.value);
  return isHex ? registryUri(blake2b256(fromHex(key.value))) : null;
}

function readContractCall(uri: string, data: readonly KnownValue[], known: KnownContracts): ReadCall {
  const method = methodOf(data);
  if (uri === known.proofOfStake && method === "bond") return { fact: { type: "bond", amount: intOf(data[2]) } };
  if (uri === known.proofOfStake && method === "withdraw") return { fact: { type: "withdraw" } };
  if (uri === known.vaults && method === "findOrCreate") {
    const vault: KnownValue = { kind: "vault", address: textOf(data[1]) };
    const answer = { on: data[2], data: [{ kind: "tuple", items: [{ kind: "bool", value: true }, vault] }] } as const;
    return { fact: undefined, answer };
  }
  if (uri === known.vaults && method === "deployerAuthKey") return { fact: undefined };
  return { fact: { type: "call", uri, channel: null, method } };
}

/** A vault's `transfer` takes address, amount, key and the name of the answer. @spec 41 §5.3 */
function readVaultCall(address: string | null, data: readonly KnownValue[], { vaults }: KnownContracts): ReadCall {
  const method = methodOf(data);
  if (method !== "transfer") return { fact: { type: "call", uri: vaults, channel: null, method } };
  return { fact: { type: "transfer", from: address, to: textOf(data[1]), amount: intOf(data[2]) } };
}

/** Longest method or address that is shown. */
const maxTextLength = 100;

function methodOf([first = unknownValue]: readonly KnownValue[]): string | null {
  return textOf(first);
}

function textOf(value: KnownValue | undefined): string | null {
  return value?.kind === "text" ? value.value.slice(0, maxTextLength) : null;
}

function intOf(value: KnownValue | undefined): bigint | null {
  return value?.kind === "int" ? value.value : null;
}
