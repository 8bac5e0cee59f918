import { equalBytes, verifySignature } from "@vedette/crypto";
import {
  type ApprovalSignature,
  type ApprovedBlock,
  type ApprovedBlockCandidate,
  type BlockApproval,
  blockAlgorithm,
  candidateDigest,
  type Dialect,
  hashKey,
} from "@vedette/protocol";

/**
 * The result of checking an approval: `untrusted` is not of a bonded validator, `invalid` not of this candidate.
 * @spec 40 §10.2
 */
export type ApprovalVerdict = "added" | "repeated" | "untrusted" | "invalid";

/**
 * The approvals of a genesis candidate, as its maker collects them: one for each bonded validator.
 *
 * @spec 40 §10.2
 */
export class CandidateApprovals {
  readonly candidate: ApprovedBlockCandidate;
  readonly #dialect: Pick<Dialect, "signatureRules">;
  readonly #digest: Uint8Array;
  readonly #validators: ReadonlySet<string>;
  readonly #signatures = new Map<string, ApprovalSignature>();

  constructor(candidate: ApprovedBlockCandidate, dialect: Pick<Dialect, "signatureRules">) {
    this.#dialect = dialect;
    this.candidate = candidate;
    this.#digest = candidateDigest(candidate);
    this.#validators = new Set(candidate.block.body.state.bonds.map(({ validator }) => hashKey(validator)));
  }

  /** How many validators may approve. */
  get validators(): number {
    return this.#validators.size;
  }

  /** How many have approved. */
  get count(): number {
    return this.#signatures.size;
  }

  /** Public keys of the validators that approved. */
  get signers(): readonly Uint8Array[] {
    return [...this.#signatures.values()].map(({ publicKey }) => publicKey);
  }

  /** Takes an approval. @spec 40 §10.2 step 4 */
  add({ candidate, signature }: BlockApproval): ApprovalVerdict {
    const key = hashKey(signature.publicKey);
    if (!this.#validators.has(key)) return "untrusted";
    if (!this.#isRight(candidate, signature)) return "invalid";
    if (this.#signatures.has(key)) return "repeated";
    this.#signatures.set(key, signature);
    return "added";
  }

  /**
   * Whether the ceremony is over: all have approved, or enough have and the time is up.
   *
   * @spec 40 §10.2 step 3
   */
  isComplete(isTimeUp: boolean): boolean {
    const { requiredSignatures } = this.candidate;
    return this.count >= this.validators || (isTimeUp && this.count >= requiredSignatures);
  }

  /** The candidate with its approvals. @spec 40 §10.2 step 5 */
  approvedBlock(): ApprovedBlock {
    return { candidate: this.candidate, signatures: [...this.#signatures.values()] };
  }

  #isRight(candidate: ApprovedBlockCandidate, { algorithm, signature, publicKey }: ApprovalSignature): boolean {
    if (algorithm !== blockAlgorithm || !equalBytes(candidateDigest(candidate), this.#digest)) return false;
    return verifySignature(this.#dialect.signatureRules, blockAlgorithm, {
      message: this.#digest,
      signature,
      publicKey,
    });
  }
}
