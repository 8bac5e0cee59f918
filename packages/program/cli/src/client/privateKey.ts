import { deployKeyOf } from "@vedette/client";
import { fromHex, KeyFileError, readEncryptedKeyFile, readPrivateKeyFile } from "@vedette/crypto";
import type { DeployKey } from "@vedette/protocol";
import { CommandError } from "./CommandError.js";
import type { CommandHost } from "./CommandHost.js";

/** Where a private key may be. */
export interface KeySources {
  readonly privateKey?: string | undefined;
  /** Hexadecimal text, or the encrypted file of `keygen`. */
  readonly privateKeyFile?: string | undefined;
}

/** The environment variables for secrets that should not be on a command line. */
export const keyEnvironment = {
  key: "VEDETTE_PRIVATE_KEY",
  file: "VEDETTE_PRIVATE_KEY_FILE",
  password: "VEDETTE_KEY_PASSWORD",
} as const;

/**
 * The key of the user: from the option, the file, or the environment, in this order.
 *
 * @spec 10 §1.6, 50 §5.6
 * @throws {CommandError} `noPrivateKey`, `badPrivateKey`, `noTerminal`; {KeyFileError}
 */
export async function requireKey(sources: KeySources, host: CommandHost): Promise<DeployKey> {
  const key = await findKey(sources, host);
  if (key === undefined) throw new CommandError({ code: "noPrivateKey" });
  return key;
}

/** As {@link requireKey}. @returns `undefined` where no key is given */
export async function findKey(sources: KeySources, host: CommandHost): Promise<DeployKey | undefined> {
  const { environment } = host;
  if (sources.privateKey !== undefined) return keyOfText(sources.privateKey, "--private-key");
  if (sources.privateKeyFile !== undefined) return keyOfFile(sources.privateKeyFile, host);
  const text = environment[keyEnvironment.key];
  if (text !== undefined && text !== "") return keyOfText(text, keyEnvironment.key);
  const path = environment[keyEnvironment.file];
  return path === undefined || path === "" ? undefined : keyOfFile(path, host);
}

/** @param source how the key was given, for the message */
export function keyOfText(text: string, source: string): DeployKey {
  const digits = text.trim().replace(/^0x/, "");
  // A digit that is missing is not made up for, as elsewhere: it would be another key.
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new CommandError({ code: "badPrivateKey", source });
  return deployKeyOf(fromHex(digits));
}

/** A key file in either form. */
export async function keyOfFile(path: string, host: CommandHost): Promise<DeployKey> {
  try {
    return deployKeyOf(readPrivateKeyFile(path));
  } catch (error) {
    if (!(error instanceof KeyFileError) || error.failure.code !== "encrypted") throw error;
  }
  const password =
    host.environment[keyEnvironment.password] ?? (await host.promptSecret(`Enter password for keyfile ${path}: `));
  return deployKeyOf(readEncryptedKeyFile(path, password));
}
