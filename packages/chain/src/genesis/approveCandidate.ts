import { type ApprovedBlockCandidate, type BlockApproval, blockAlgorithm, candidateDigest } from "@vedette/protocol";

/** Who approves. @spec 40 §10.3 */
export interface ApprovalKey {
  /** 65 bytes. */
  readonly publicKey: Uint8Array;
  /** Signs a hash of 32 bytes. */
  sign(hash: Uint8Array): Uint8Array;
}

/** Approves a candidate for the genesis block. @spec 40 §1.6, §10.3 */
export function approveCandidate(candidate: ApprovedBlockCandidate, key: ApprovalKey): BlockApproval {
  const signature = key.sign(candidateDigest(candidate));
  return { candidate, signature: { publicKey: key.publicKey, algorithm: blockAlgorithm, signature } };
}
