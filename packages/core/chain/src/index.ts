export { findBlockBytes } from "./block/BlockChunks.js";
export { BlockPacking } from "./block/BlockPacking.js";
export type { BlockReporting } from "./block/BlockReportRules.js";
export { BlockTable } from "./block/BlockTable.js";
export { noteDamagedBlocks, restoreBlock } from "./block/damagedBlocks.js";
export { type FirstBlock, isHistoryProven, noteProvenHistory } from "./block/verifiedHistory.js";
export { bootstrapFromState, entriesAtState } from "./bootstrapFromState.js";
export { Chain, type ProcessedBlock } from "./Chain.js";
export type { ChainChange, RecordChange } from "./ChainChange.js";
export { ChainError, type ChainFailure } from "./ChainError.js";
export type { ChainEvent } from "./ChainEvent.js";
export type { ChainOptions, ChainParts, Consensus } from "./ChainOptions.js";
export { type ChainRules, deployLifespan, unlimitedParents } from "./ChainRules.js";
export { ChainWriteBatch, type ChainWriteBatchOptions } from "./ChainWriteBatch.js";
export { type BlockFlags, BlockMetadata, type ChainMoment, type MetadataFields } from "./dag/BlockMetadata.js";
export { blocksSince } from "./dag/blocksSince.js";
export { Dag } from "./dag/Dag.js";
export type { DagView, LatestMessage } from "./dag/DagView.js";
export { bondingFirst, genesisFirst, type InitialLatestMessage } from "./dag/firstMessage.js";
export { MetadataRewriting } from "./dag/MetadataRewriting.js";
export {
  type ForgettableStates,
  keptStates,
  prunableStates,
  type StateWindowSources,
  windowEdge,
} from "./dag/stateWindow.js";
export { type YieldToEventLoop, yieldToEventLoop } from "./dag/yieldToEventLoop.js";
export type { EquivocationView } from "./equivocation/EquivocationTable.js";
export { bindsReferences } from "./evidence/checkEvidence.js";
export {
  type F1r3nodeConsensus,
  type F1r3nodeConsensusOptions,
  type F1r3nodeJudging,
  type F1r3nodeJudgingOptions,
  f1r3nodeConsensus,
  statedFloors,
} from "./f1r3nodeConsensus.js";
export type { FinalityRules } from "./finality/FinalityRules.js";
export { BlockLineage } from "./finality/f1r3node/blockLineage.js";
export { checkGivenFloors, type F1r3nodeCheck, type UnverifiedFloors } from "./finality/f1r3node/checkGivenFloors.js";
export { type DerivedFloor, type FloorCache, MemoryFloorCache } from "./finality/f1r3node/FloorCache.js";
export { type FloorFacts, Floors } from "./finality/f1r3node/Floors.js";
export { f1r3nodeFinality } from "./finality/f1r3node/f1r3nodeFinality.js";
export { keptJoinAnchor } from "./finality/f1r3node/joinAnchor.js";
export { type LineageFacts, type LineageSource, StateLineage } from "./finality/f1r3node/StateLineage.js";
export {
  type BlockFloor,
  replaceFloors,
  StoredFloorCache,
  storedFloors,
} from "./finality/f1r3node/StoredFloorCache.js";
export { faultTolerance, smallestClique } from "./finality/faultTolerance.js";
export { initialFault } from "./finality/initialFault.js";
export { heaviestTip } from "./forkChoice/heaviestTip.js";
export { isEntitled } from "./forkChoice/isEntitled.js";
export { approveCandidate } from "./genesis/approveCandidate.js";
export { type ApprovalVerdict, CandidateApprovals } from "./genesis/CandidateApprovals.js";
export { type Approvals, checkApprovals } from "./genesis/checkApprovals.js";
export { checkCandidate, type ExpectedGenesis } from "./genesis/checkCandidate.js";
export { GenesisBlockError, type GenesisBlockFailure } from "./genesis/GenesisBlockError.js";
export { type GenesisContent, genesisBlock } from "./genesis/genesisBlock.js";
export { type CreatorsView, type MergeScope, mergeScopes } from "./merge/scope.js";
export { type BlockFinality, finalityOf } from "./outcome/blockFinality.js";
export { type DeployRecords, deployRecords } from "./outcome/deployRecords.js";
export { type DeployLifecycleStatus, statusSoFar } from "./outcome/deployStatus.js";
export { f1r3nodeRejections } from "./outcome/f1r3nodeRejections.js";
export type { FinalDeployStatus, FindFinalStatus, JudgedDeploy } from "./outcome/finalDeployStatus.js";
export { decideBlocks, type ForkFacts, putUndecided, silentHeights } from "./outcome/forkedAway.js";
export { knownFrom } from "./outcome/knownFrom.js";
export { findMergeNote, type MergeNote, noteMerge } from "./outcome/mergeNotes.js";
export { type FindRejections, findRejection, forgetRejections, takeFinality } from "./outcome/rejectedDeploys.js";
export type { RejectionInState } from "./outcome/stateLines.js";
export { takesEffect } from "./outcome/takesEffect.js";
export { undecidedBlock, undecidedKey } from "./outcome/undecidedBlocks.js";
export type { BlockLimits } from "./propose/blockRoom.js";
export {
  checkDeploy,
  type DeployRefusal,
  type DeployRules,
  refusalText,
} from "./propose/checkDeploy.js";
export type { ProposeConstraints } from "./propose/constraints.js";
export { type ArrivingDeploy, DeployPool, type PoolOptions, type Submission } from "./propose/DeployPool.js";
export type {
  F1r3nodePlay,
  F1r3nodePlayOutcome,
  F1r3nodeProposeExecution,
  PlayedParts,
} from "./propose/f1r3node/F1r3nodePlay.js";
export { type F1r3nodeProposeSources, f1r3nodeProposing } from "./propose/f1r3node/f1r3nodeProposing.js";
export { findLeftDeploy, type LeftDeploy } from "./propose/LeftDeploys.js";
export { ProposeError, type ProposeFailure } from "./propose/ProposeError.js";
export type { EmitProposeEvent, FilterReason, ProposeEvent } from "./propose/ProposeEvent.js";
export type { PlayOutcome, PlayRequest, ProposeExecution } from "./propose/ProposeExecution.js";
export type { ProposeFailureStatus, ProposeOptions, ProposeResult } from "./propose/ProposeResult.js";
export type { BlockTemplate, PlayWork, ProposeRules, ProposeView } from "./propose/ProposeRules.js";
export { Proposer } from "./propose/Proposer.js";
export type { ProposeLimits, ProposerOptions } from "./propose/ProposerOptions.js";
export type { ProposeConditions } from "./propose/proposeConditions.js";
export { referenceProposing } from "./propose/referenceProposing.js";
export type { SynchronyRecoverySettings } from "./propose/SynchronyRecovery.js";
export type { News, ValidatorStanding } from "./propose/standing.js";
export type { ReadyBlock } from "./ReadyBlock.js";
export type { F1r3nodeRuleSet } from "./ruleSets/F1r3nodeRuleSet.js";
export { f1r3node0445 } from "./ruleSets/f1r3node0445.js";
export { f1r3nodePriorRejections, f1r3nodeRuleSetNamed, f1r3nodeRuleSets } from "./ruleSets/f1r3nodeRuleSets.js";
export { unknownRulesText } from "./ruleSets/unknownRules.js";
export { epochSlashing, slashesOf } from "./slashing/f1r3node/epochSlashing.js";
export type { ChosenSlash, SlashChoice, SlashRules } from "./slashing/SlashRules.js";
export type { ValidatedBlock } from "./ValidatedBlock.js";
export { type BlockChecks, referenceChecks } from "./validation/BlockChecks.js";
export type {
  BlockExecution,
  InvalidBlockFacts,
  ParentsState,
  ReplayOutcome,
  ReplayRequest,
} from "./validation/BlockExecution.js";
export { type BlockStatus, blockStatuses, type InvalidStatus, type StatusFacts } from "./validation/BlockStatus.js";
export type {
  F1r3nodeBlockExecution,
  F1r3nodeMerge,
  F1r3nodeState,
} from "./validation/f1r3node/F1r3nodeBlockExecution.js";
export { type F1r3nodeCheckSources, f1r3nodeChecks } from "./validation/f1r3node/f1r3nodeChecks.js";
export { checkFormat } from "./validation/format.js";
export { type ApprovedFacts, approvedFactsOf, isOfInterest } from "./validation/interest.js";
export { StoredBlocks, type StoredBlocksOptions, type StoredVerdict } from "./validation/StoredBlocks.js";
export { checkSignature } from "./validation/signature.js";
export { statedExecution } from "./validation/statedExecution.js";
export { statusReason } from "./validation/statusReason.js";
export { visibleInvalidBlocks } from "./validation/visibleInvalidBlocks.js";
export { checkForkChoice, isForkChoiceFile } from "./vectors/checkForkChoice.js";
