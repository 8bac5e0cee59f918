export { TrustedProxies } from "./address/TrustedProxies.js";
export { ConfigError, type ConfigProblem, printProblem } from "./ConfigError.js";
export { configTemplate } from "./configTemplate.js";
export {
  ContextError,
  ContextFile,
  contextFilePath,
  contextFileVariable,
} from "./context/ContextFile.js";
export type { ContextAddress, NodeContext } from "./context/NodeContext.js";
export { noteContext } from "./context/noteContext.js";
export { type DialectName, dialectNames, findDialectName } from "./dialectName.js";
export { type ConfigEntry, type ConfigSources, type ExplainedConfig, explainConfig } from "./explainConfig.js";
export { forms } from "./forms.js";
export { printOrigin } from "./hocon/hoconNode.js";
export type { Key } from "./Key.js";
export {
  type Config,
  type KeyName,
  keyNames,
  keyOf,
  longOptionOf,
  namesBootstrap,
  offOptionOf,
  variableOf,
} from "./keys.js";
export { printValue } from "./printValue.js";
export { type ReadConfig, readConfig } from "./readConfig.js";
export { historyWindow, minHistory, type StateHistory } from "./stateHistory.js";
export { parseDurationMs } from "./units.js";
export { version, versionText } from "./version.js";
export { type WorkerCount, workersOf } from "./workerCount.js";
