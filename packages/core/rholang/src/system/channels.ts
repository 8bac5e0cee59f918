import { Bundle, GPrivate, Par } from "@vedette/terms";

/** A built-in process or one of the registry's fixed names. @spec 21 §7.1 */
export interface FixedChannel {
  readonly urn: string;
  /** The one byte of its unforgeable name. */
  readonly byte: number;
  /** Number of the process (`scala_body_ref`); `undefined` where the genesis registry listens instead. */
  readonly bodyRef: number | undefined;
  readonly arity: number;
}

/**
 * All fixed channels, in the order in which the processes are installed (21 §8.2); the registry's three last.
 *
 * Quirk 21 §7.1: from number 8 on a process's number and its channel's byte differ.
 *
 * @spec 21 §7.1, §8.2
 */
export const fixedChannels: readonly FixedChannel[] = [
  { urn: "rho:io:stdout", byte: 0, bodyRef: 0, arity: 1 },
  { urn: "rho:io:stdoutAck", byte: 1, bodyRef: 1, arity: 2 },
  { urn: "rho:io:stderr", byte: 2, bodyRef: 2, arity: 1 },
  { urn: "rho:io:stderrAck", byte: 3, bodyRef: 3, arity: 2 },
  { urn: "rho:execution:abort", byte: 27, bodyRef: 25, arity: 1 },
  { urn: "rho:io:grpcTell", byte: 25, bodyRef: 23, arity: 3 },
  { urn: "rho:io:devNull", byte: 26, bodyRef: 24, arity: 1 },
  { urn: "rho:block:data", byte: 10, bodyRef: 11, arity: 1 },
  { urn: "rho:casper:invalidBlocks", byte: 11, bodyRef: 12, arity: 1 },
  { urn: "rho:deploy:data", byte: 31, bodyRef: 29, arity: 1 },
  { urn: "rho:asi:address", byte: 12, bodyRef: 13, arity: 3 },
  { urn: "rho:rchain:deployerId:ops", byte: 13, bodyRef: 14, arity: 3 },
  { urn: "rho:registry:ops", byte: 17, bodyRef: 15, arity: 3 },
  { urn: "sys:authToken:ops", byte: 18, bodyRef: 16, arity: 3 },
  { urn: "rho:crypto:secp256k1Verify", byte: 8, bodyRef: 9, arity: 4 },
  { urn: "rho:crypto:blake2b256Hash", byte: 7, bodyRef: 7, arity: 2 },
  { urn: "rho:crypto:keccak256Hash", byte: 6, bodyRef: 6, arity: 2 },
  { urn: "rho:crypto:sha256Hash", byte: 5, bodyRef: 5, arity: 2 },
  { urn: "rho:crypto:ed25519Verify", byte: 4, bodyRef: 4, arity: 4 },
  { urn: "rho:ai:gpt4", byte: 20, bodyRef: 18, arity: 2 },
  { urn: "rho:ai:dalle3", byte: 21, bodyRef: 19, arity: 2 },
  { urn: "rho:ai:textToAudio", byte: 22, bodyRef: 20, arity: 2 },
  { urn: "rho:ollama:chat", byte: 28, bodyRef: 26, arity: 3 },
  { urn: "rho:ollama:generate", byte: 29, bodyRef: 27, arity: 3 },
  { urn: "rho:ollama:models", byte: 30, bodyRef: 28, arity: 1 },
  { urn: "rho:registry:lookup", byte: 14, bodyRef: undefined, arity: 2 },
  { urn: "rho:registry:insertArbitrary", byte: 15, bodyRef: undefined, arity: 2 },
  { urn: "rho:registry:insertSigned:secp256k1", byte: 16, bodyRef: undefined, arity: 4 },
];

/** The processes that `new` finds by a URI, with the number of values in a message to each. @spec 21 §7.1 */
export const systemChannels: ReadonlyMap<string, number> = new Map(fixedChannels.map(({ urn, arity }) => [urn, arity]));

/** The fixed name with this byte, bare. @spec 21 §7.1 */
export function fixedChannel(byte: number): Par {
  return Par.of({ unforgeables: [new GPrivate(Uint8Array.of(byte))] });
}

/** The values that `new x(urn)` binds: a write-only bundle around the fixed name. One object per URN. @spec 21 §7.1 */
export const urnMap: ReadonlyMap<string, Par> = new Map(
  fixedChannels.map(({ urn, byte }) => [urn, Par.of({ bundles: [new Bundle(fixedChannel(byte), true, false)] })]),
);
