import { rnodeProofs } from "@vedette/client/proof";
import { encodePar, printPar, sortPar } from "@vedette/terms";
import type { ProofTerms } from "./ProofTerms.js";

/** Of rnode's networks, where names are hashed in the encoding in which they are sent. */
export const firstProofTerms: ProofTerms = {
  form: rnodeProofs,
  channelOf: (sent) => sent,
  bytesOf: (par) => encodePar(sortPar(par)),
  print: (par) => printPar(par),
};
