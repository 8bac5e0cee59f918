export { ApiKeyFileError, type ApiKeyFileFailure } from "./ApiKeyFileError.js";
export { type ApiKey, changeApiKeys, hashOfApiKey, makeApiKey, readApiKeys } from "./apiKeyFile.js";
