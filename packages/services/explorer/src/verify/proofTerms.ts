import { type ProofForm, rnodeProofs } from "@vedette/client/proof";
import { f1r3nodeProofs } from "@vedette/client/rust-proofs";
import type { Dialect } from "@vedette/protocol";
import { encodePar, f1r3nodeTerms, type Par, type PrintOptions, printPar, sortPar } from "@vedette/terms";

/** How proofs and terms of a network are read. */
export interface ProofTerms {
  readonly form: ProofForm;
  /** Returns the bytes that a name's hash is made of, from the form that nodes send. */
  channelOf(sent: Uint8Array): Uint8Array;
  /** As nodes send a term: as it is stored, or sorted. */
  bytesOf(par: Par): readonly Uint8Array[];
  print(par: Par, options?: PrintOptions): string;
}

export const proofTerms: Readonly<Record<Dialect["name"], ProofTerms>> = {
  rnode: {
    form: rnodeProofs,
    channelOf: (sent) => sent,
    bytesOf: (par) => [encodePar(par), encodePar(sortPar(par))],
    print: printPar,
  },
  // Terms are sent in one encoding and hashed in another. @spec 61 §2
  f1r3node: {
    form: f1r3nodeProofs,
    channelOf: (sent) => f1r3nodeTerms.storedPar(f1r3nodeTerms.decodePar(sent)),
    bytesOf: (par) => [f1r3nodeTerms.encodePar(par), f1r3nodeTerms.encodePar(f1r3nodeTerms.sortPar(par))],
    print: (par, options) => f1r3nodeTerms.printPar(par, options),
  },
};
