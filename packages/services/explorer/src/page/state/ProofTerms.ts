import type { ProofForm } from "@vedette/client/proof";
import type { Par } from "@vedette/terms";

/** How proofs and terms of a network are read. */
export interface ProofTerms {
  readonly form: ProofForm;
  /** Of a name as nodes tell it: the bytes that its hash is made of. */
  channelOf(told: Uint8Array): Uint8Array;
  /** As nodes tell a term. */
  bytesOf(par: Par): Uint8Array;
  print(par: Par): string;
}
