export { type Checkpoint, checkpointFormat, readCheckpoint } from "./client/Checkpoint.js";
export { type ComparedCheckpoints, compareCheckpoints } from "./client/compareCheckpoints.js";
export type { Conflict } from "./client/compareTargets.js";
export {
  createLightClient,
  type LightClient,
  type LightClientOptions,
  type UpdateOutcome,
  type Verified,
  type VerifiedDatum,
} from "./client/LightClient.js";
export { LightClientError, type LightClientFailure } from "./client/LightClientError.js";
export type { LightServerOptions } from "./client/LightServer.js";
export { proofOfStakeVault } from "./client/proofOfStakeVault.js";
export type { ServerReport } from "./client/ServerReport.js";
export { type DeployEffect, type IncludedDeploy, readIncludedDeploy } from "./deployOutcome.js";
export type { DoubledBlock } from "./Evidence.js";
export { findPath, maxPathBlocks, maxPathBytes } from "./findPath.js";
export { LightError, type LightFailure } from "./LightError.js";
export { f1r3nodeRules, type LightRules, rnodeRules } from "./LightRules.js";
export { type LightUpdate, maxUpdateBlocks, maxUpdateBytes } from "./LightUpdate.js";
export { makeUpdate, type UpdateSource } from "./makeUpdate.js";
export { knownBytes, packUpdate, unpackUpdate } from "./packedUpdate.js";
export { readTrustedBlock, type TrustedBlock, trustedBlockOf } from "./TrustedBlock.js";
export { verifyPath } from "./verifyPath.js";
export { type TrustAge, type VerifiedUpdate, verifyUpdate } from "./verifyUpdate.js";
