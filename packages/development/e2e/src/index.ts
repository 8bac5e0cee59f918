export { type Mix, makeMixedChain } from "./chains/mixedChain.js";
export { CommandProcess } from "./network/CommandProcess.js";
export { Launcher } from "./network/Launcher.js";
export { NetworkProcesses } from "./network/NetworkProcesses.js";
export { signedBy } from "./network/networkDeploys.js";
export { RecordedNetwork, untilSynced } from "./network/recordedNetwork.js";
