export { databaseKinds, TestPlaces } from "./databases.js";
export { FakeChainFeed } from "./FakeChainFeed.js";
export { FakePublicNode, type NamedBlock } from "./FakePublicNode.js";
export { fillIndex, madeChain } from "./fillIndex.js";
export { madeBlock, madeDeploy, madeHash, madeUser } from "./madeBlocks.js";
export { type IndexInProcess, openIndexInProcess } from "./openIndexInProcess.js";
export { PostgresServer, postgresDirectory } from "./PostgresServer.js";
