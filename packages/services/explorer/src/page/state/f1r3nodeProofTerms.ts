import { f1r3nodeProofs } from "@vedette/client/rust-proofs";
import { f1r3nodeTerms } from "@vedette/terms";
import type { ProofTerms } from "./ProofTerms.js";

/** Of f1r3node's networks, where terms are sent in one encoding and hashed in another. @spec 61 §2 */
export const f1r3nodeProofTerms: ProofTerms = {
  form: f1r3nodeProofs,
  channelOf: (sent) => f1r3nodeTerms.storedPar(f1r3nodeTerms.decodePar(sent)),
  bytesOf: (par) => f1r3nodeTerms.encodePar(f1r3nodeTerms.sortPar(par)),
  print: (par) => f1r3nodeTerms.printPar(par),
};
