export { f1r3nodeContracts } from "@vedette/contracts";
export type { ContractTestDialect } from "./contractTest/ContractTestDialect.js";
export {
  type CaseDialect,
  type CaseStep,
  type ContractCase,
  type ContractTests,
  type ProgramWrapper,
  parseContractCases,
} from "./contractTest/contractCases.js";
export {
  type ContractProgram,
  fillTestMacros,
  ordinaryProgram,
  type ProgramResult,
  runProgram,
} from "./contractTest/contractProgram.js";
export { f1r3nodeGenesisState, f1r3nodeTestParameters } from "./contractTest/f1r3nodeGenesisState.js";
export { genesisState, type TestState, testParameters } from "./contractTest/genesisState.js";
export { ExecutionError, type ExecutionFailure } from "./ExecutionError.js";
export { F1r3nodeStates } from "./f1r3node/F1r3nodeStates.js";
export type { ExecutionDialect } from "./form/ExecutionDialect.js";
export { f1r3nodeExecution } from "./form/f1r3nodeExecution.js";
export { rnodeExecution } from "./form/rnodeExecution.js";
export { sortBonds } from "./genesis/contractTerm.js";
export {
  type F1r3nodeGenesisParameters,
  type GenesisToken,
  thresholdPpm,
} from "./genesis/F1r3nodeGenesisParameters.js";
export { f1r3nodeGenesis } from "./genesis/f1r3nodeGenesis.js";
export type { AnyGenesisForm, GenesisDialect } from "./genesis/GenesisDialect.js";
export { GenesisError, type GenesisFailure } from "./genesis/GenesisError.js";
export { checkGenesisParameters, type GenesisParameters, type GenesisWallet } from "./genesis/GenesisParameters.js";
export { genesisDeploys } from "./genesis/genesisDeploys.js";
export { rnodeGenesis } from "./genesis/rnodeGenesis.js";
export { systemPublicKeys } from "./genesis/systemKeys.js";
export { blockDeploys } from "./merge/f1r3node/blockDeploys.js";
export { mergeDeploys, type ScopeOutcome, type ScopeRequest } from "./merge/f1r3node/mergeDeploys.js";
export {
  type MergedBlocks,
  type MergedScopeState,
  type ScopeLimits,
  ScopeMerger,
} from "./merge/f1r3node/ScopeMerger.js";
export {
  findMergeable,
  type MergeableId,
  mergeableIdOf,
  putMergeable,
  writeMergeable,
} from "./merge/mergeableStore.js";
export { type MergedState, type MergeLimits, type MergeRejection, StateMerger } from "./merge/StateMerger.js";
export { type DeployFault, type DeployNote, type DeployPrint, emptyNote, isEmptyNote } from "./note/DeployNote.js";
export { DeployNoteCollector, faultsOf } from "./note/DeployNoteCollector.js";
export { OutcomeRewriting } from "./outcome/OutcomeRewriting.js";
export {
  checkGivenOutcome,
  type ExecutionOutcome,
  findNotes,
  findOutcome,
  findTransfers,
  writeGivenOutcome,
  writeOutcome,
} from "./outcome/outcomeRecord.js";
export { type BlockFromDeploys, type GenesisPlay, type PlayedBlock, playBlock, playGenesis } from "./play/playBlock.js";
export type { BlockPlay } from "./play/playContent.js";
export { type PlayedState, playState, type StatePlay } from "./play/playState.js";
export type { DeployTry, LeftOutDeploy, PlayLimits } from "./play/tryDeploys.js";
export { type BalanceQuery, balanceName, balances, namesBalances, proofOfStakeAddress } from "./query/balances.js";
export { committeeOf } from "./query/committee.js";
export { type ExploratoryDeploy, type ExploreResult, exploreDeploy } from "./query/exploreDeploy.js";
export { KnownBonds } from "./query/KnownBonds.js";
export { activeValidators, bonds, epochLength } from "./query/proofOfStake.js";
export { isUri, nameOfValue, noDeployer, processLookup, registryLookup } from "./query/registryLookup.js";
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
export type { BlockTransfers, DeployTransferGroups, ReportedTransfer, TransferGroup } from "./report/Transfer.js";
export { type Transaction, type TransactionType, transactionsOf } from "./report/transactions.js";
export { commitEmptyState } from "./runtime/emptyState.js";
export { type InvalidBlock, mergeableTag } from "./runtime/Runtime.js";
export { checkSystemDeploys, isSystemDeployFile } from "./systemDeploy/checkSystemDeploys.js";
export { deployRandom } from "./systemDeploy/seeds.js";
export { DeployTracer, type ProgramTrace, type TraceSource, type TraceStep } from "./trace/DeployTracer.js";
export { type CoveredLines, ProgramCoverage } from "./trace/ProgramCoverage.js";
export { type DeployTrace, traceDeploy } from "./trace/traceDeploy.js";
