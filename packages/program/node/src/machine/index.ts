export { checkKeyFiles, type KeyFileCheck, type KeyFileNote } from "../start/checkKeyFiles.js";
export { checkPorts, PortsInUseError, type WantedPort, wantedPorts } from "./checkPorts.js";
export {
  DataDirectoryError,
  isDirectoryLocked,
  lockDirectory,
  lockName,
  markDialect,
  openDataDirectory,
} from "./dataDirectory.js";
export { makeFolders } from "./makeFolders.js";
export { stopWithParent } from "./stopWithParent.js";
