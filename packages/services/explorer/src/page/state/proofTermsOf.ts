import type { Dialect } from "@vedette/protocol";
import type { ProofTerms } from "./ProofTerms.js";

/** Of f1r3node's networks they come when they are wanted. */
export async function proofTermsOf({ name }: Pick<Dialect, "name">): Promise<ProofTerms> {
  if (name === "f1r3node") return (await import("./f1r3nodeProofTerms.js")).f1r3nodeProofTerms;
  return (await import("./firstProofTerms.js")).firstProofTerms;
}
