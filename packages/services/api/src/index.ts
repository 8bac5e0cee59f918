export type { Static, TSchema } from "typebox";
export {
  type EventKind,
  eventCloseCodes,
  eventCloseTexts,
  eventKinds,
  filteredKinds,
  maxFilterValues,
} from "./events/eventKinds.js";
export { eventAmounts, eventMessage } from "./events/eventMessages.js";
export { eventsRoute } from "./events/eventsRoute.js";
export {
  type F1r3nodeMoment,
  f1r3nodeMoment,
  type ReferenceEventBlock,
  type ReferenceEventKind,
  referenceEvent,
  referenceStarted,
} from "./events/referenceEvents.js";
export {
  balancesRoute,
  deployStatusesRoute,
  deployStatusRoute,
  deploysRoute,
  transfersRoute,
} from "./http/accountRoutes.js";
export { amountNames } from "./http/amountNames.js";
export { apiV1Document } from "./http/apiV1Document.js";
export {
  apiV1BlockRoute,
  apiV1BlocksRoute,
  apiV1DeployRoute,
  apiV1ExploreRoute,
  apiV1OpenApiRoute,
  apiV1ProposeRoute,
  apiV1StatusRoute,
  proposeRoute,
} from "./http/apiV1Routes.js";
export {
  blockBytesRoute,
  blockRoute,
  blockSpanRoute,
  blocksRoute,
  isFinalizedRoute,
  lastFinalizedBlockRoute,
  newestBlocksRoute,
} from "./http/blockRoutes.js";
export { blockStatusesRoute, maxStatusHashes, maxStatusHeights } from "./http/blockStatusRoute.js";
export { contractSourceRoute, maxSourceLength } from "./http/contractSourceRoute.js";
export { type DeployEffectOutcome, type DeployFact, deployFact } from "./http/deployFacts.js";
export { deployBlockRoute, deployRoute, prepareDeployRoute, sequenceNumberRoute } from "./http/deployRoutes.js";
export { openApiRoute } from "./http/documentRoutes.js";
export { exampleChain } from "./http/exampleChain.js";
export { explorationLimits, explorationRoute } from "./http/explorationRoute.js";
export { dialectNeutralRoutes } from "./http/f1r3node/eitherDialect.js";
export {
  f1r3nodeBlockRoute,
  f1r3nodeBlockSpanRoute,
  f1r3nodeBlocksRoute,
  f1r3nodeLastFinalizedBlockRoute,
  f1r3nodeNewestBlocksRoute,
} from "./http/f1r3node/f1r3nodeBlockRoutes.js";
export { deployDetailRoute, f1r3nodeDeployRoute } from "./http/f1r3node/f1r3nodeDeployRoutes.js";
export {
  f1r3nodeApiStatusRoute,
  f1r3nodeIsFinalizedRoute,
  f1r3nodeOpenApiRoute,
  f1r3nodePrepareDeployRoute,
  f1r3nodeProposeRoute,
  f1r3nodeRootStatusRoute,
  f1r3nodeSequenceNumberRoute,
} from "./http/f1r3node/f1r3nodeNodeRoutes.js";
export {
  balanceRoute,
  bondStatusRoute,
  epochRewardsRoute,
  epochRoute,
  registryRoute,
  validatorRoute,
  validatorsRoute,
} from "./http/f1r3node/f1r3nodeQueryRoutes.js";
export {
  f1r3nodeDataAtBlockRoute,
  f1r3nodeExploreAtBlockRoute,
  f1r3nodeExploreRoute,
  f1r3nodeExploreTermRoute,
} from "./http/f1r3node/f1r3nodeStateRoutes.js";
export { deployFinalizationRoute, estimateCostRoute } from "./http/f1r3nodeRoutes.js";
export { feedRoute } from "./http/feedRoute.js";
export { graphqlRoute, longestGraphqlDocument } from "./http/graphqlRoute.js";
export { headHeader, minBlockHeader, minBlockParameter } from "./http/headNames.js";
export { liveRoute, readyRoute } from "./http/healthRoutes.js";
export {
  lightCheckpointRoute,
  lightDeployRoute,
  lightExploreRoute,
  lightPathRoute,
  lightRegistryRoute,
  lightUpdateRoute,
} from "./http/lightRoute.js";
export { type ApiFacts, openApiDocument, refusalStatuses } from "./http/openapi.js";
export {
  type AnswerChanges,
  type AnswerContract,
  type BodyContract,
  defineRoute,
  type RefusalForm,
  type RouteContract,
  type RouteExample,
  type RouteInput,
} from "./http/RouteContract.js";
export { type ExtraMembers, integerOf, readBySchema, SchemaError } from "./http/readBySchema.js";
export { readParameters } from "./http/readParameters.js";
export { publicTraceRoute, traceRoute, transactionsRoute } from "./http/reportRoutes.js";
export { rhoExpr, taggedRhoExpr, unforgeableInput } from "./http/rhoValues.js";
export { amount64, float32, hexBytes, int32, int64, named, orNull, type ScalarOptions } from "./http/scalars.js";
export { sqlLimits, sqlRoute } from "./http/sqlRoute.js";
export { maxPieces, queryStateRoutes, statePiecesRoute, stateRoutes } from "./http/stateEntryRoutes.js";
export {
  dataAtNameAtBlockRoute,
  dataAtNameRoute,
  exploreAtBlockRoute,
  exploreDeployRoute,
  exploreTermRoute,
} from "./http/stateRoutes.js";
export { apiStatusRoute, metricsRoute, peersRoute, statusRoute, versionRoute } from "./http/statusRoutes.js";
export { traceDeployRoute } from "./http/traceDeployRoute.js";
export { deployRequest, lightBlockInfo as lightBlockInfoSchema } from "./http/values.js";
export { type JsonInput, JsonNumber, parseJson } from "./json/parseJson.js";
export { printIndented } from "./json/printIndented.js";
export {
  JsonFloat,
  JsonHex,
  type JsonOf,
  type JsonValue,
  printJson,
  printJsonPieces,
} from "./json/printJson.js";
export {
  type BlockFacts,
  blockAnswersOf,
  blockInfo,
  type DeployTransfers,
  deployInfo,
  type LightBlockJson,
  lightBlockInfo,
  refreshedInfo,
  type TransferView,
  transfersInfo,
} from "./value/blockInfo.js";
export {
  areUnready,
  type ConditionCode,
  type ConditionFacts,
  type ConditionView,
  conditionCodes,
  conditions,
} from "./value/conditions.js";
export { f1r3nodeExprOf } from "./value/f1r3nodeExpr.js";
export {
  apiStatusBody,
  type BlockSourceView,
  type F1r3nodeNetworkFacts,
  type FinalityStatus,
  type HistoryView,
  type IndexStatusView,
  type NetworkFacts,
  type NodeStatusView,
  nearBlocks,
  type PeerView,
  type PublisherView,
  peersBody,
  type ReplicaView,
  type SyncStatusView,
  statusBody,
  syncStatusBody,
} from "./value/nodeStatus.js";
export { type RhoExpr, rhoExprOf, rhoExprsOf } from "./value/rhoExpr.js";
export { taggedExpr } from "./value/taggedExpr.js";
