export { ConfigError, printProblem } from "../config/ConfigError.js";
export { explainConfig } from "../config/explainConfig.js";
export { keyNames } from "../config/keys.js";
export { printValue } from "../config/printValue.js";
export { createAdminServer } from "../http/adminServer.js";
export { createHttpServer } from "../http/server.js";
export { insertBlocks } from "./syntheticChain.js";
export { TestQueries } from "./TestQueries.js";
