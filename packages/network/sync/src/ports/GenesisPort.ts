import type { ApprovedBlockCandidate, Block, BlockApproval } from "@vedette/protocol";

/** Makes and judges genesis blocks, from the node's own configuration. @spec 40 §10 */
export interface GenesisPort {
  /**
   * Makes the genesis block; its state is stored then. For the master of a ceremony.
   *
   * @throws the fault of the configuration, or of the deploys of genesis
   */
  make(): Promise<Block>;
  /**
   * Gets ready to judge candidates, so that a configuration that cannot work is reported at the start.
   *
   * @throws the fault of the configuration, the validator's key included
   */
  prepare(): Promise<void>;
  /** @returns why a candidate is refused; `undefined` for the expected one @spec 40 §10.3 */
  checkCandidate(candidate: ApprovedBlockCandidate): Promise<string | undefined>;
  /** Signs a candidate. For a validator. */
  approve(candidate: ApprovedBlockCandidate): BlockApproval;
}
