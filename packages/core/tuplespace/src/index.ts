export {
  bincodeConsumeHash,
  bincodeProduceHash,
  type HashedConsume,
} from "./bincode/bincodeHash.js";
export {
  type BincodeContinuation,
  type BincodeDatum,
  type BincodeLeaf,
  decodeBincodeContinuation,
  decodeBincodeDatum,
  decodeBincodeJoin,
  decodeBincodeLeaf,
  type EncodedBincodeLeaf,
  encodeBincodeContinuation,
  encodeBincodeDatum,
  encodeBincodeJoin,
  encodeBincodeLeaf,
} from "./bincode/bincodeLeaf.js";
export { withCallOutput } from "./event/callOutput.js";
export { channelsHash } from "./event/channelsHash.js";
export { decodeEventLog, type LoggedEvent } from "./event/decodeEventLog.js";
export { consumeEvent, produceEvent } from "./event/eventHash.js";
export { f1r3nodeSpace } from "./form/f1r3nodeSpace.js";
export { rnodeSpace } from "./form/rnodeSpace.js";
export type { SpaceDialect } from "./form/SpaceDialect.js";
export { childrenOf, type NodeChildren, nextBytesOf } from "./history/childrenOf.js";
export { diffStates, type StateParts } from "./history/diffStates.js";
export { HistoryError, type HistoryFailure } from "./history/HistoryError.js";
export { type GivenState, importStateDiff } from "./history/importStateDiff.js";
export { memoryStateStore } from "./history/memoryStateStore.js";
export { NodeChanging } from "./history/NodeChanging.js";
export { RadixNode } from "./history/RadixNode.js";
export { type PruningStep, readForgotten, StatePruning } from "./history/StatePruning.js";
export {
  type StateCommit,
  StateStore,
  type StateStoreOptions,
  stateTables,
} from "./history/StateStore.js";
export { type StateRead, StateView } from "./history/StateView.js";
export { emptyRoot, type HistoryAction, type NewNode, updateTree } from "./history/updateTree.js";
export type { WriteWithState } from "./history/WriteWithState.js";
export { Datum } from "./leaf/Datum.js";
export { continuationsKey, dataKey, joinsKey } from "./leaf/historyKey.js";
export { isLeafOf } from "./leaf/isLeafOf.js";
export { isPieceOf, type StatePiece } from "./leaf/isPieceOf.js";
export { Join } from "./leaf/Join.js";
export type { Leaf } from "./leaf/Leaf.js";
export { LeafError, type LeafFailure, type LeafKind } from "./leaf/LeafError.js";
export { WaitingContinuation } from "./leaf/WaitingContinuation.js";
export { applyChanges } from "./merge/applyChanges.js";
export { depends } from "./merge/conflicts.js";
export {
  type DeployChain,
  deployChains,
  isSystemDeployId,
  type MergeDeploy,
  systemDeployId,
  userDeployIds,
} from "./merge/deployChain.js";
export { combineSets, type EventSets, type NumberDifferences, noEventSets } from "./merge/eventIndex.js";
export { mergeSideParents, type SideParentBlock } from "./merge/evidence/mergeSideParents.js";
export { applyItems } from "./merge/f1r3node/applyItems.js";
export { isConflict } from "./merge/f1r3node/eventRelations.js";
export { type ItemState, type JoinItem, StoredItems } from "./merge/f1r3node/ItemState.js";
export { type LossesOf, lossesBy, noLosses } from "./merge/f1r3node/losses.js";
export {
  type BlockStates,
  type ChainSource,
  compareChains,
  type MergeChain,
  type MergedDeploy,
  mergeChains,
} from "./merge/f1r3node/MergeChain.js";
export {
  decodeNumberEntry,
  encodeNumberEntry,
  type NumberChange,
  type NumberChanges,
  numberChange,
  numberEntryKey,
} from "./merge/f1r3node/numberChanges.js";
export { numberIn } from "./merge/f1r3node/numberItem.js";
export {
  type MergeBranch,
  type ResolvedChains,
  resolveChains,
  userIds,
  without,
} from "./merge/f1r3node/resolveChains.js";
export { MergeError, type MergeFailure } from "./merge/MergeError.js";
export { decodeMergeable, encodeMergeable, mergeableKey, numberInState } from "./merge/numberChannels.js";
export { recordKey } from "./merge/recordKey.js";
export { type MergeResolution, resolveConflicts } from "./merge/resolveConflicts.js";
export { ProofError, type ProofFailure } from "./proof/ProofError.js";
export { type KeyProof, proveKey, verifyProof } from "./proof/proveKey.js";
export { type ReplayLeftover, ReplaySpace } from "./replay/ReplaySpace.js";
export type { ReportComm, ReportConsume, ReportEvent, ReportProduce } from "./report/ReportingSpace.js";
export { ReportingSpace } from "./report/ReportingSpace.js";
export type { GuardHolds, SpaceRules } from "./rules/SpaceRules.js";
export { PlaySpace } from "./space/PlaySpace.js";
export type {
  ConsumeMatch,
  MatchDatum,
  ProduceMatch,
  SoftCheckpoint,
  Space,
  SpaceCheckpoint,
  SpaceMatch,
} from "./space/Space.js";
export { SpaceError, type SpaceFailure } from "./space/SpaceError.js";
export type { CheckedPage } from "./statePages/checkItems.js";
export { type ExportLimits, exportItems, pageSize } from "./statePages/exportItems.js";
export { findMissing, type MissingItems } from "./statePages/findMissing.js";
export { importItems, type WrittenPage } from "./statePages/importItems.js";
export { StatePageError, type StatePageFailure } from "./statePages/StatePageError.js";
export { ExploreSpace, type ReadOnlyView, readOnlyView } from "./view/readOnlyView.js";
