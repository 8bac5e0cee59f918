import { verifySignature } from "@vedette/crypto";
import { type ApprovedBlock, blockAlgorithm, candidateDigest, type Dialect, hashKey } from "@vedette/protocol";

/** More approvals than any network has validators; each costs a verification. */
const maximumApprovals = 4096;

/** The validators that approved a block, and whether they are enough. @spec 40 §3.6 */
export interface Approvals {
  readonly isEnough: boolean;
  /** Public keys of the right signatures, each once. */
  readonly signers: readonly Uint8Array[];
}

/**
 * Counts the approvals of an approved block.
 *
 * Quirk 40 §3.6: the signers are not compared with the bonds.
 *
 * @spec 40 §3.6
 */
export function checkApprovals(
  approved: ApprovedBlock,
  { signatureRules }: Pick<Dialect, "signatureRules">,
): Approvals {
  const { candidate, signatures } = approved;
  const digest = candidateDigest(candidate);
  const signers = new Map<string, Uint8Array>();
  for (const { publicKey, algorithm, signature } of signatures.slice(0, maximumApprovals)) {
    const key = hashKey(publicKey);
    if (algorithm !== blockAlgorithm || signers.has(key)) continue;
    if (verifySignature(signatureRules, blockAlgorithm, { message: digest, signature, publicKey }))
      signers.set(key, publicKey);
  }
  return { isEnough: signers.size >= candidate.requiredSignatures, signers: [...signers.values()] };
}
