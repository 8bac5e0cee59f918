import type { Config, KeyName } from "@vedette/config";
import { checkNodeIdentity, IdentityError, KeyFileError } from "@vedette/crypto";
import { ApiKeyFileError, readApiKeys } from "@vedette/server/keys";
import { identityPlaceOf } from "./identityPlace.js";
import { ValidatorKeyError, validatorIdentityOf } from "./validatorIdentity.js";

/** Something about a file that a configuration names. */
export interface KeyFileNote {
  readonly key: KeyName;
  readonly text: string;
}

/** The findings of a start about files of keys. */
export interface KeyFileCheck {
  /** With these it could not go on. */
  readonly problems: readonly KeyFileNote[];
  readonly warnings: readonly KeyFileNote[];
}

/**
 * Looks at the files of keys that a configuration names by the code of a start, and leaves them as they are.
 *
 * @param password opens an encrypted key of a validator
 * @spec 50 §5.4
 */
export function checkKeyFiles(config: Config, password?: string): KeyFileCheck {
  const problems: KeyFileNote[] = [];
  const warnings: KeyFileNote[] = [];
  const look = (key: KeyName, check: () => readonly string[]) => {
    try {
      warnings.push(...check().map((text) => ({ key, text })));
    } catch (error) {
      if (!isKnown(error)) throw error;
      problems.push({ key, text: error.message });
    }
  };
  const { "casper.validator-private-key-path": path, "api-server.keys.file": apiKeys } = config;
  look(path === undefined ? "casper.validator-private-key" : "casper.validator-private-key-path", () => {
    validatorIdentityOf(config, password)?.[Symbol.dispose]();
    return [];
  });
  look("tls.key-path", () => checkNodeIdentity(identityPlaceOf(config)));
  look("api-server.keys.file", () => {
    if (apiKeys !== "") readApiKeys(apiKeys);
    return [];
  });
  return { problems, warnings };
}

function isKnown(error: unknown): error is Error {
  return [KeyFileError, ValidatorKeyError, IdentityError, ApiKeyFileError].some((kind) => error instanceof kind);
}
