export { databaseKinds, TestPlaces } from "./databases.js";
export { madeBlock, madeDeploy, madeHash, madeUser } from "./madeBlocks.js";
export { PostgresServer, postgresDirectory } from "./PostgresServer.js";
