import { blake2b256 } from "@vedette/crypto";
import { decodePar, encodePar, sortPar } from "@vedette/terms";
import { leafItems } from "./leafItems.js";
import type { ProofForm } from "./ProofForm.js";
import { stateProofFormat } from "./StateProof.js";

/** Proofs of rnode networks. @spec 30 §10.2 */
export const rnodeProofs: ProofForm = {
  format: stateProofFormat,
  decodeChannel: (bytes) => decodePar(bytes),
  encodeChannel: (channel) => encodePar(sortPar(channel)),
  leafHash: blake2b256,
  leafItems,
};
