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
export { rustSpace } from "./form/rustSpace.js";
export type { SpaceForm } from "./form/SpaceForm.js";
export { scalaSpace } from "./form/scalaSpace.js";
export type { AlsoWritten } from "./history/AlsoWritten.js";
export { adoptState, type GivenState } from "./history/adoptState.js";
export { childrenOf, type NodeChildren, nextBytesOf } from "./history/childrenOf.js";
export { HistoryError, type HistoryFailure } from "./history/HistoryError.js";
export { memoryStateStore } from "./history/memoryStateStore.js";
export { NodeChanging } from "./history/NodeChanging.js";
export { newSince, type StateItems } from "./history/newSince.js";
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
export { Datum } from "./leaf/Datum.js";
export { continuationsKey, dataKey, joinsKey } from "./leaf/historyKey.js";
export { isLeafOf } from "./leaf/isLeafOf.js";
export { Join } from "./leaf/Join.js";
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
export { type BlockBeside, mergeBeside } from "./merge/evidence/mergeBeside.js";
export { MergeError, type MergeFailure } from "./merge/MergeError.js";
export { decodeMergeable, encodeMergeable, mergeableKey, numberInState } from "./merge/numberChannels.js";
export { recordKey } from "./merge/recordKey.js";
export { type Resolution, rejectDeploys } from "./merge/rejectDeploys.js";
export { applyItems } from "./merge/rust/applyItems.js";
export { isConflict } from "./merge/rust/eventRelations.js";
export { type ItemState, type JoinItem, StoredItems } from "./merge/rust/ItemState.js";
export {
  type BlockStates,
  type ChainSource,
  compareChains,
  type MergeChain,
  type MergedDeploy,
  mergeChains,
} from "./merge/rust/MergeChain.js";
export {
  decodeNumberEntry,
  encodeNumberEntry,
  type NumberChange,
  type NumberChanges,
  numberChange,
  numberEntryKey,
} from "./merge/rust/numberChanges.js";
export { numberIn } from "./merge/rust/numberItem.js";
export { type MergeBranch, type ResolvedChains, resolveChains, userIds, without } from "./merge/rust/resolveChains.js";
export { ProofError, type ProofFailure } from "./proof/ProofError.js";
export { proveKey, type StateProof, verifyProof } from "./proof/proveKey.js";
export { type ReplayLeftover, ReplaySpace } from "./replay/ReplaySpace.js";
export type { ReportComm, ReportConsume, ReportEvent, ReportProduce } from "./report/ReportEvent.js";
export { ReportingSpace } from "./report/ReportingSpace.js";
export type { GuardHolds, SpaceRules } from "./rules/SpaceRules.js";
export { PlaySpace } from "./space/PlaySpace.js";
export type {
  Checkpoint,
  ConsumeMatch,
  MatchDatum,
  ProduceMatch,
  SoftCheckpoint,
  Space,
  SpaceMatch,
} from "./space/Space.js";
export { SpaceError, type SpaceFailure } from "./space/SpaceError.js";
export type { CheckedPage } from "./transfer/checkItems.js";
export { type ExportLimits, exportItems, pageSize } from "./transfer/exportItems.js";
export { findMissing, type MissingItems } from "./transfer/findMissing.js";
export { importItems } from "./transfer/importItems.js";
export { TransferError, type TransferFailure } from "./transfer/TransferError.js";
export { ExploreSpace, type ReadOnlyView, readOnlyView } from "./view/readOnlyView.js";
