export type { StateContinuation, StateDatum, StateItems } from "./leafItems.js";
export type { ProofForm } from "./ProofForm.js";
export { rnodeProofs } from "./rnodeProofs.js";
export {
  type BlockAnchor,
  printStateProof,
  readStateProof,
  type StateKind,
  type StateProof,
  type StateProofJson,
  stateKinds,
  stateProofFormat,
} from "./StateProof.js";
export { StateProofError, type StateProofFailure } from "./StateProofError.js";
export { vaultBalanceName, verifyVaultBalance } from "./vaultBalance.js";
export {
  type ProvenState,
  type StateProofRequest,
  stateKey,
  type TrustedHash,
  verifyStateProof,
} from "./verifyStateProof.js";
