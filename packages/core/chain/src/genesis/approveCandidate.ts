import {
  type ApprovedBlockCandidate,
  type BlockApproval,
  type BlockSigner,
  blockAlgorithm,
  candidateDigest,
} from "@vedette/protocol";

/** Approves a candidate for the genesis block. @spec 40 §1.6, §10.3 */
export function approveCandidate(candidate: ApprovedBlockCandidate, key: BlockSigner): BlockApproval {
  const signature = key.sign(candidateDigest(candidate));
  return { candidate, signature: { publicKey: key.publicKey, algorithm: blockAlgorithm, signature } };
}
