import type { ProofForm } from "@vedette/client/proof";
import type { Par } from "@vedette/terms";

/** How proofs and terms of a network are read. */
export interface ProofTerms {
  readonly form: ProofForm;
  /** Encodes a name, from the bytes that nodes send, as the bytes that its hash is made of. */
  channelOf(sent: Uint8Array): Uint8Array;
  /** Encodes a term as nodes send it. */
  bytesOf(par: Par): Uint8Array;
  print(par: Par): string;
}
