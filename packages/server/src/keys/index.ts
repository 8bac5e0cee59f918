export { KeyFileError, type KeyFileFailure } from "./KeyFileError.js";
export { type ApiKey, changeKeyFile, hashOfKey, makeKey, readKeyFile } from "./keyFile.js";
