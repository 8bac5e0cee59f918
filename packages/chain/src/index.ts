export { BlockTable, putBlock } from "./block/BlockTable.js";
export { Chain, type ChainOptions, type ProcessedBlock, type ReadyBlock } from "./Chain.js";
export { ChainError, type ChainFailure } from "./ChainError.js";
export type { ChainEvent } from "./ChainEvent.js";
export { type ChainRules, deployLifespan, unlimitedParents } from "./ChainRules.js";
export { isAncestorOrSelf, isInMainChain, unfinalizedAncestors } from "./dag/ancestors.js";
export { type BlockFlags, BlockMetadata, type MetadataFields } from "./dag/BlockMetadata.js";
export { BondSet } from "./dag/BondSet.js";
export { commonAncestor, compareSignedBytes } from "./dag/commonAncestor.js";
export { Dag } from "./dag/Dag.js";
export type { DagView, LatestMessage } from "./dag/DagView.js";
export type { Insertion } from "./dag/insertBlock.js";
export { type EquivocationRecord, EquivocationTable, type EquivocationView } from "./equivocation/EquivocationTable.js";
export { faultTolerance, minimumFaultTolerance, weightsOf } from "./finality/faultTolerance.js";
export { findFinalized } from "./finality/finalizer.js";
export { heaviestClique } from "./finality/heaviestClique.js";
export { estimateTips, type ParentLimits, type Tips, validTips } from "./forkChoice/estimator.js";
export { type Approvals, checkApprovals } from "./genesis/checkApprovals.js";
export { genesisBonds, genesisLog } from "./genesis/genesisOrder.js";
export {
  creatorsFinality,
  type FinalityView,
  finalityUpTo,
  noFinality,
  ownFinality,
} from "./merge/FinalityView.js";
export { type CreatorsView, type MergeScope, mergeScope, mergeScopes } from "./merge/scope.js";
export type {
  BlockExecution,
  InvalidBlockFacts,
  ParentsState,
  ReplayOutcome,
  ReplayRequest,
} from "./validation/BlockExecution.js";
export { type BlockStatus, type InvalidStatus, isSlashable } from "./validation/BlockStatus.js";
export { checkFormat } from "./validation/format.js";
export { type ApprovedFacts, approvedFactsOf, isOfInterest } from "./validation/interest.js";
export { checkSignature } from "./validation/signature.js";
export { statusReason } from "./validation/statusReason.js";
export { type Validation, type ValidationContext, validateBlock } from "./validation/validateBlock.js";
