import type { Dialect } from "@vedette/protocol";
import type { ProofTerms } from "./ProofTerms.js";

/** Of the newer node's networks they come when they are wanted. */
export async function proofTermsOf({ name }: Pick<Dialect, "name">): Promise<ProofTerms> {
  if (name === "rnode-rust") return (await import("./newerProofTerms.js")).newerProofTerms;
  return (await import("./firstProofTerms.js")).firstProofTerms;
}
