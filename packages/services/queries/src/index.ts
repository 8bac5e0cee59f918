export { ApiError, type ApiErrorKind, type ApiErrorReason } from "./ApiError.js";
export type { AccountEvent } from "./accounts/AccountFollower.js";
export { AccountIndex } from "./accounts/AccountIndex.js";
export {
  type AccountHistoryQuery,
  AccountQueries,
  type DeployHistory,
  type Placed,
  placeOfCursor,
} from "./accounts/AccountQueries.js";
export { Accounts } from "./accounts/Accounts.js";
export type { DeployEntry, TransferEntry, TransferKind } from "./accounts/accountEntries.js";
export type { AccountPlace } from "./accounts/accountKeys.js";
export { DeployStatuses } from "./accounts/DeployStatuses.js";
export { indexedBlock, transferEntries } from "./accounts/entriesOfBlock.js";
export type { StatusReads } from "./apiQueries.js";
export { type ApiQueries, apiQueriesOf } from "./apiQueries.js";
export { type BlockAnswer, BlockAnswers } from "./block/BlockAnswers.js";
export { BlockQueries } from "./block/BlockQueries.js";
export { F1r3nodeBlockAnswers, type View } from "./block/F1r3nodeBlockAnswers.js";
export { LargeAnswers } from "./block/LargeAnswers.js";
export { printLarge } from "./block/LargeText.js";
export { ValidatorQueries } from "./block/ValidatorQueries.js";
export { DeployIntake, type DeployPort } from "./deploy/DeployIntake.js";
export { type ProposeAnswer, type ProposePort, ProposeRequests } from "./deploy/ProposeRequests.js";
export { type DeployEffects, DeploySummaries } from "./deployEffects/DeploySummaries.js";
export { type ProgramReader, programReaderOf } from "./deployEffects/programRules.js";
export {
  type KnownTransfers,
  type MovedAmount,
  type SummarizedFailure,
  type SummedUpDeploy,
  summarizeDeploy,
} from "./deployEffects/summarizeDeploy.js";
export type { AnswerRules } from "./dialect/AnswerRules.js";
export { EncodedBody } from "./EncodedBody.js";
export { CallPlaces, HeldCall } from "./explore/CallPlaces.js";
export { type ExplorationOutcome, Explorations } from "./explore/Explorations.js";
export { ExploreQueries, type ProgramFailure } from "./explore/ExploreQueries.js";
export { FairQueue, type QueuedRequest } from "./explore/FairQueue.js";
export { FairScheduler } from "./explore/FairScheduler.js";
export { Overload } from "./explore/Overload.js";
export { LightPaths } from "./light/LightPaths.js";
export { LightQueries, type UpdateAnswer, type UpdateQuestion } from "./light/LightQueries.js";
export { mapToApiError } from "./mapToApiError.js";
export { Problem } from "./Problem.js";
export { blockCallOf, type CallSources } from "./report/blockCall.js";
export { NoteQueries } from "./report/NoteQueries.js";
export { type ReportMessages, ReportQueries } from "./report/ReportQueries.js";
export { TraceQueries } from "./report/TraceQueries.js";
export { TransferQueries } from "./report/TransferQueries.js";
export { BalanceQueries } from "./state/BalanceQueries.js";
export { ContractSources, type SourceQuestion, type VerifiedSource } from "./state/ContractSources.js";
export { bytesOfName, shownName, strictBytesOfName } from "./state/longNames.js";
export { NameQueries } from "./state/NameQueries.js";
export { type StateEntries, StateQueries, type StateQuestion } from "./state/StateQueries.js";
export { StateQueryError } from "./state/StateQueryError.js";
export { type NamedState, StateRoots } from "./state/StateRoots.js";
export {
  behindRetrySeconds,
  behindText,
  ChainHead,
  type HeadView,
  parseMinBlock,
} from "./status/ChainHead.js";
