export { type JsonInput, JsonNumber, parseJson } from "./json/parseJson.js";
export { printIndented } from "./json/printIndented.js";
export { JsonFloat, type JsonValue, printJson } from "./json/printJson.js";
export { type BlockFacts, blockInfo, deployInfo, lightBlockInfo } from "./value/blockInfo.js";
export {
  apiStatusBody,
  type NetworkFacts,
  type NodeStatusView,
  type PeerView,
  type SyncStatusView,
  statusBody,
} from "./value/nodeStatus.js";
export { type RhoExpr, rhoExprOf, rhoExprsOf } from "./value/rhoExpr.js";
export { taggedExpr } from "./value/taggedExpr.js";
