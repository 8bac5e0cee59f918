export { type AskedIndex, askIndexHere } from "./askIndexHere.js";
export { databaseKinds, TestPlaces } from "./databases.js";
export { fillIndex, madeChain } from "./fillIndex.js";
export { MadeFeed } from "./MadeFeed.js";
export { MadeNode, type NamedBlock } from "./MadeNode.js";
export { madeBlock, madeDeploy, madeHash, madeUser } from "./madeBlocks.js";
export { PostgresServer, postgresDirectory } from "./PostgresServer.js";
