import { rustProofs } from "@vedette/client/rust-proofs";
import { rustTerms } from "@vedette/terms";
import type { ProofTerms } from "./ProofTerms.js";

/** Of the newer node's networks, where terms are told in one encoding and hashed in another. @spec 61 §2 */
export const newerProofTerms: ProofTerms = {
  form: rustProofs,
  channelOf: (told) => rustTerms.storedPar(rustTerms.decodePar(told)),
  bytesOf: (par) => rustTerms.encodePar(rustTerms.sortPar(par)),
  print: (par) => rustTerms.printPar(par),
};
