export { readEncryptedKeyFile, readPrivateKeyFile, writeKeyFiles } from "@vedette/crypto";
export type { NodeAddress } from "./GrpcChannel.js";
export { type DagQuery, type DataInBlock, type ExploredState, NodeClient } from "./NodeClient.js";
