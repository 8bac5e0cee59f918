import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readSecretFile, SecretFileError, writeNewFile } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { SinkError } from "../SinkError.js";

const prefix = "whsec_";
/** As Standard Webhooks wants them. */
const minBytes = 24;
const maxBytes = 64;
/** The old one and the new one while they are exchanged. */
const maxSecrets = 4;

/** Secrets of a webhook, with which its receiver verifies calls. */
export interface WebhookSecrets {
  /** Any of which the receiver may check a call by. */
  readonly keys: readonly Uint8Array[];
  readonly isNew: boolean;
}

/**
 * Reads secrets, one a line; makes a file with a new one where there is none.
 *
 * @throws {SinkError} `secretWrong`
 * @throws {SecretFileError}
 */
export function readOrMakeSecrets(path: string): WebhookSecrets {
  try {
    const isNew = !existsSync(path);
    if (isNew) writeNewFile(path, `${prefix}${randomBytes(32).toString("base64")}\n`, 0o600);
    const lines = readSecretFile(path).toString().split("\n");
    const texts = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
    if (texts.length === 0 || texts.length > maxSecrets)
      throw new TypeError(`it needs 1 to ${maxSecrets} lines such as ${prefix}…, each the Base64 of a secret`);
    return { keys: texts.map(secretIn), isNew };
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    throw new SinkError({ code: "secretWrong", path, reason: errorText(error) }, { cause: error });
  }
}

/** @throws TypeError that does not repeat it */
function secretIn(text: string, at: number): Uint8Array {
  const base64 = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") === base64 && bytes.length >= minBytes && bytes.length <= maxBytes) return bytes;
  throw new TypeError(`secret ${at + 1} is not ${prefix} and the Base64 of ${minBytes} to ${maxBytes} bytes`);
}
