export { externalGrpcServer, type GrpcServersOptions, grpcServices, internalGrpcServer } from "./grpc/grpcServers.js";
export { grpcLimitsOf } from "./grpc/limits.js";
export { Workbench } from "./grpc/workbench/Workbench.js";
export { createAdminServer } from "./http/adminServer.js";
export { bareServer } from "./http/bareServer.js";
export { rnodeHttpConventions } from "./http/conventions/rnodeHttpConventions.js";
export { registerDeployFinalization } from "./http/deployFinalization.js";
export { registerEstimateCost } from "./http/estimateCost.js";
export { registerFeed } from "./http/feed.js";
export { type GuardOptions, guardRequests, type OriginAllowlist } from "./http/guardRequests.js";
export { httpLimitsOf } from "./http/HttpLimits.js";
export { createIndexServer } from "./http/indexServer.js";
export { JsonText } from "./http/JsonText.js";
export { readSite, type Site } from "./http/Site.js";
export { contractsOf, serve } from "./http/serve.js";
export { createHttpServer } from "./http/server.js";
export { UnsentAnswers } from "./http/UnsentAnswers.js";
export { registerBalances } from "./http/v2/balances.js";
export { registerBlockStatuses } from "./http/v2/blockStatuses.js";
export { registerDeploys } from "./http/v2/deploys.js";
export { registerTransfers } from "./http/v2/transfers.js";
export { ApiKeys } from "./keys/ApiKeys.js";
export { openKeys } from "./keys/openKeys.js";
export {
  type CountedWindow,
  SharedBudget,
  type SharedBudgetEvent,
  type SharedCounter,
} from "./limits/SharedBudget.js";
