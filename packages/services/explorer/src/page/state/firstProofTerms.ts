import { rnodeProofs } from "@vedette/client/proof";
import { encodePar, printPar, sortPar } from "@vedette/terms";
import type { ProofTerms } from "./ProofTerms.js";

/** Of rnode's networks, where names are hashed as they are told. */
export const firstProofTerms: ProofTerms = {
  form: rnodeProofs,
  channelOf: (told) => told,
  bytesOf: (par) => encodePar(sortPar(par)),
  print: (par) => printPar(par),
};
