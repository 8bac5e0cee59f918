export { ExecutionError, type ExecutionFailure } from "./ExecutionError.js";
export { blockChains } from "./merge/blockChains.js";
export {
  findMergeable,
  type MergeableId,
  mergeableIdOf,
  putMergeable,
  writeMergeable,
} from "./merge/mergeableStore.js";
export { type MergedState, type MergeLimits, StateMerger } from "./merge/StateMerger.js";
export { type NumberChannels, numberChannelDifferences, readNumberChannels, storedNumber } from "./numberChannels.js";
export { type BlockPlay, type GenesisPlay, type PlayedBlock, playBlock, playGenesis } from "./play/playBlock.js";
export { type PlayedDeploy, playDeploy } from "./play/playDeploy.js";
export { type PlayedSystemDeploy, playSystemDeploy } from "./play/playSystemDeploy.js";
export { activeValidators, bonds } from "./query/bonds.js";
export { type Exploration, type ExploreResult, exploreDeploy, explorePhloLimit } from "./query/exploreDeploy.js";
export { type FailedReplay, printReplayFailure, type ReplayFailure } from "./replay/ReplayFailure.js";
export { type BlockReplay, type ReplayedBlock, replayBlock, replayStatus } from "./replay/replayBlock.js";
export { commitEmptyState } from "./runtime/emptyState.js";
export { blockDataOf, type InvalidBlock, mergeableTag, Runtime, type RuntimeOptions } from "./runtime/Runtime.js";
export { type BlockSystemDeploy, blockSystemDeployTerm } from "./systemDeploy/blockSystemDeploy.js";
export { runSystemDeploy, type SystemDeployResult, systemPhloLimit } from "./systemDeploy/runSystemDeploy.js";
export { closeBlockRandom, deployRandom, preChargeRandom, refundRandom, slashRandom } from "./systemDeploy/seeds.js";
export {
  closeBlockTerm,
  preChargeTerm,
  refundTerm,
  type SystemDeployTerm,
  slashTerm,
} from "./systemDeploy/terms.js";
