import type { Par } from "@vedette/terms";
import type { StateItems } from "./leafItems.js";
import type { StateKind } from "./StateProof.js";

/**
 * How the states of a dialect are read where a proof leads into them. Who checks a proof has to know the dialect: taken
 * for one of the other, a state would hold nothing at any name.
 *
 * @spec 30 §10.7
 */
export interface ProofForm {
  /** The text by which a proof says how it is to be read. */
  readonly format: string;
  /** A name of the bytes that its hash is made of; whether these are canonical is not looked at. */
  decodeChannel(bytes: Uint8Array): Par;
  /** The canonical bytes of a name: what its hash is made of. */
  encodeChannel(channel: Par): Uint8Array;
  /** What a leaf of these bytes is called by in the tree. */
  leafHash(leaf: Uint8Array): Uint8Array;
  /** @param leaf `undefined` for the absent one @throws {StateProofError}; what decoding the terms throws */
  leafItems(kind: StateKind, leaf: Uint8Array | undefined): StateItems;
}
