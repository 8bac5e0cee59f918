export { insertBlocks, insertLine } from "./syntheticChain.js";
export { TestQueries } from "./TestQueries.js";
export { unexecutedChain } from "./unexecutedChain.js";
