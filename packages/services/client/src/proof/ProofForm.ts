import type { Par } from "@vedette/terms";
import type { StateItems } from "./leafItems.js";
import type { StateKind } from "./StateProof.js";

/**
 * Reads a dialect's states for proofs. The checker of a proof must know the dialect: read as one of the other, a state
 * would be empty at every name.
 *
 * @spec 30 §10.7
 */
export interface ProofForm {
  /** The format name in a proof that defines how to read it. */
  readonly format: string;
  /** A name of the bytes that its hash is made of; whether these are canonical is not looked at. */
  decodeChannel(bytes: Uint8Array): Par;
  /** The canonical bytes of a name: what its hash is made of. */
  encodeChannel(channel: Par): Uint8Array;
  /** Returns the hash of a leaf of these bytes in the tree. */
  leafHash(leaf: Uint8Array): Uint8Array;
  /** @param leaf `undefined` for the absent one @throws {StateProofError}; what decoding the terms throws */
  leafItems(kind: StateKind, leaf: Uint8Array | undefined): StateItems;
}
