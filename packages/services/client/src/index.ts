export type { DeployFact } from "@vedette/api";
export { checkVaultAddress, fromHex, toHex, vaultAddressOfEthAddress, vaultAddressOfPublicKey } from "@vedette/crypto";
export type { Deploy, DeployKey } from "@vedette/protocol";
export {
  buildDeploy,
  type DeployRequest,
  deployDefaults,
  unsignedDeploy,
  validAfterLatest,
} from "./deploy/buildDeploy.js";
export { DeployError, type DeployFailure } from "./deploy/DeployError.js";
export { deployFactParts, deployFactText, deploySummaryText, type FactPart } from "./deploy/deployFactText.js";
export { deployJson } from "./deploy/deployJson.js";
export { addressOfKey, deployKeyOf } from "./deploy/deployKey.js";
export { checkDeploySignature, type DeploySigner, signDeployWith } from "./deploy/signDeployWith.js";
export { EventStream } from "./events/EventStream.js";
export type { EventStreamOptions, StreamEvent, WatchedName } from "./events/EventStreamOptions.js";
export { ClientError, type ClientFailure, type ProblemContent } from "./failure/ClientError.js";
export { isUnknownDeploy } from "./failure/isUnknownDeploy.js";
export type {
  BlockTrace,
  BlockTransactions,
  DeployBrief,
  DeployStatus,
  DeploysPage,
  DeploysQuery,
  Exploration,
  ExplorationRequest,
  FullBlock,
  LightBlock,
  NetworkStatus,
  NodeStatus,
  PlacedBlock,
  PreparedDeploy,
  ProcessedDeployInfo,
  ReportedPeer,
  SyncProgress,
  TransfersPage,
  TransfersQuery,
  ValueInBlock,
  ValuesInBlock,
} from "./http/answers.js";
export { callRoute, type RouteArguments } from "./http/callRoute.js";
export { type ExploredBlock, HttpClient, type StateQuery } from "./http/HttpClient.js";
export {
  type CallOptions,
  HttpConnection,
  type HttpOptions,
  type LoginApart,
  loginApart,
} from "./http/HttpConnection.js";
export {
  type ProvenState,
  type StateProofRequest,
  type TrustedHash,
  verifyStateProof,
} from "./proof/verifyStateProof.js";
export { addressLiteral, amountLiteral, stringLiteral } from "./term/literal.js";
export { type ContractCallOutcome, outcomeOfValues, readOutcome } from "./term/outcome.js";
export {
  bondTerm,
  bondWithResultTerm,
  type PosQuery,
  posQueryTerm,
  unbondTerm,
  unbondWithResultTerm,
} from "./term/posTerms.js";
export { type NetworkDialect, type SystemNames, systemNames } from "./term/systemNames.js";
export { TermError, type TermFailure } from "./term/TermError.js";
export { balanceTerm, transferTerm, transferWithResultTerm } from "./term/vaultTerms.js";
export {
  asiToken,
  type NativeToken,
  nativeTokenOf,
  parseTokens,
  printTokens,
  type TokenFacts,
} from "./value/nativeToken.js";
export { RhoBigInt, RhoDouble, RhoFixedPoint, type RhoNumber, RhoRational } from "./value/RhoNumber.js";
export {
  type RhoInput,
  RhoPar,
  RhoTuple,
  RhoUnforgeable,
  RhoUri,
  type RhoValue,
  type UnforgeableKind,
} from "./value/RhoValue.js";
export {
  type RhoJson,
  type RhoNumberJson,
  type RhoUnforgeableJson,
  rhoJsonOf,
  rhoValueOfJson,
  rhoValuesOfJson,
  type TaggedRhoJson,
  taggedRhoJsonOf,
} from "./value/rhoJson.js";
export { RholangTerm, rholang } from "./value/rholang.js";
export { rholangText } from "./value/rholangText.js";
export { parOfRhoValue, rhoValueOfPar } from "./value/rhoPar.js";
export { blockStateTexts, deployStateTexts, invalidBlockText, type StateText } from "./value/stateTexts.js";
export { ValueError, type ValueFailure } from "./value/ValueError.js";
export { pause } from "./wait/pause.js";
export type { PollOptions } from "./wait/poll.js";
export type { BlockName, FinalizedDeployStatus } from "./wait/standing.js";
export {
  type DeployTracker,
  type WaitOptions,
  waitForDeploy,
  waitForFinalization,
  waitForFinalizedBlock,
} from "./wait/waitForDeploy.js";
export { type DeployOutcome, waitForOutcome } from "./wait/waitForOutcome.js";
export { balanceOf, queryPos } from "./wallet/balanceOf.js";
export { ReportedDeploy, SentDeploy } from "./wallet/SentDeploy.js";
export { type DeployEndpoint, type SendOptions, Wallet, type WalletOptions } from "./wallet/Wallet.js";
export { WalletError, type WalletFailure } from "./wallet/WalletError.js";
