export { ExecutionError, type ExecutionFailure } from "./ExecutionError.js";
export { FloorStates } from "./floor/FloorStates.js";
export type { ExecutionForm } from "./form/ExecutionForm.js";
export { rustExecution } from "./form/rustExecution.js";
export { scalaExecution } from "./form/scalaExecution.js";
export { sortBonds } from "./genesis/contractTerm.js";
export { GenesisError, type GenesisFailure } from "./genesis/GenesisError.js";
export type { AnyGenesisForm, GenesisForm } from "./genesis/GenesisForm.js";
export { checkGenesisParameters, type GenesisParameters, type GenesisWallet } from "./genesis/GenesisParameters.js";
export { genesisDeploys } from "./genesis/genesisDeploys.js";
export {
  type NativeToken,
  type NewerGenesisParameters,
  thresholdPpm,
} from "./genesis/NewerGenesisParameters.js";
export { rustGenesis } from "./genesis/rustGenesis.js";
export { scalaGenesis } from "./genesis/scalaGenesis.js";
export { systemPublicKeys } from "./genesis/systemKeys.js";
export {
  findMergeable,
  type MergeableId,
  mergeableIdOf,
  putMergeable,
  writeMergeable,
} from "./merge/mergeableStore.js";
export { blockDeploys } from "./merge/rust/blockDeploys.js";
export { mergeDeploys, type ScopeOutcome, type ScopeRequest } from "./merge/rust/mergeDeploys.js";
export { type MergedBlocks, type MergedScopeState, type ScopeLimits, ScopeMerger } from "./merge/rust/ScopeMerger.js";
export { type MergedState, type MergeLimits, type Rejection, StateMerger } from "./merge/StateMerger.js";
export { type DeployFault, type DeployNote, type DeployPrint, emptyNote, isEmptyNote } from "./note/DeployNote.js";
export { faultsOf, NoteTaker } from "./note/NoteTaker.js";
export { OutcomeRewriting } from "./outcome/OutcomeRewriting.js";
export {
  type BlockOutcome,
  checkGivenOutcome,
  findNotes,
  findOutcome,
  findTransfers,
  writeGivenOutcome,
  writeOutcome,
} from "./outcome/outcomeRecord.js";
export { type GenesisPlay, type MadeOfDeploys, type PlayedBlock, playBlock, playGenesis } from "./play/playBlock.js";
export type { BlockPlay } from "./play/playContent.js";
export { type PlayedState, playState, type StatePlay } from "./play/playState.js";
export type { DeployTry, LeftOutDeploy, PlayLimits } from "./play/tryDeploys.js";
export { type BalanceQuery, balanceName, balances, namesBalances } from "./query/balances.js";
export { committeeOf } from "./query/committee.js";
export { type Exploration, type ExploreResult, exploreDeploy } from "./query/exploreDeploy.js";
export { KnownBonds } from "./query/KnownBonds.js";
export { activeValidators, bonds, epochLength } from "./query/proofOfStake.js";
export { proofOfStakeAddress } from "./query/proofOfStakeAddress.js";
export { checkTokenMetadata, tokenMetadata } from "./query/tokenMetadata.js";
export { type FailedReplay, printReplayFailure, type ReplayFailure } from "./replay/ReplayFailure.js";
export { type BlockReplay, type ReplayedBlock, replayBlock } from "./replay/replayBlock.js";
export { type ReplayedState, replayState, type StateReplay } from "./replay/replayState.js";
export { callsRegistry } from "./report/callsRegistry.js";
export { droppingStore } from "./report/droppingStore.js";
export { ReportError, type ReportFailure } from "./report/ReportError.js";
export { type Registration, reportRegistrations } from "./report/registrations.js";
export {
  type DeployReport,
  type ReportedBlock,
  type ReportSink,
  reportBlock,
  reportTransfers,
  transfersInReport,
} from "./report/reportBlock.js";
export type { BlockTransfers, DeployTransfers, ReportedTransfer, TransferGroup } from "./report/Transfer.js";
export { type Transaction, type TransactionType, transactionsOf } from "./report/transactions.js";
export { commitEmptyState } from "./runtime/emptyState.js";
export { type InvalidBlock, mergeableTag } from "./runtime/Runtime.js";
export { checkSystemDeploys, isSystemDeployFile } from "./systemDeploy/checkSystemDeploys.js";
export { deployRandom } from "./systemDeploy/seeds.js";
export { DeployTracer, type ProgramTrace, type TraceSource, type TraceStep } from "./trace/DeployTracer.js";
export { type CoveredLines, ProgramCoverage } from "./trace/ProgramCoverage.js";
export { type DeployTrace, traceDeploy } from "./trace/traceDeploy.js";
export {
  type CaseDialect,
  type CaseStep,
  type ContractCase,
  type ContractTests,
  parseContractCases,
  type Surroundings,
} from "./trial/contractCases.js";
export {
  type ContractProgram,
  fillTestMacros,
  ordinaryProgram,
  type ProgramResult,
  runProgram,
} from "./trial/contractProgram.js";
export { genesisState, type TestState, testParameters } from "./trial/genesisState.js";
export { newerGenesisState, newerTestParameters } from "./trial/newerGenesisState.js";
export type { Trial } from "./trial/Trial.js";
