import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { addressOfKey } from "@vedette/client";
import {
  checkVaultAddress,
  fromHex,
  isSecp256k1PrivateKey,
  KeyFileError,
  toHex,
  vaultAddressOfEthAddress,
  vaultAddressOfPublicKey,
  writeKeyFiles,
  writeNewFile,
} from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { DeployKey } from "@vedette/protocol";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import type { CommandHost } from "./CommandHost.js";
import { type Options, requireKeyOf } from "./NodeCommand.js";
import { keyEnvironment, keyOfFile, keyOfText } from "./privateKey.js";

/** `vedette keys generate [file]`: the key goes to a file that only its owner reads; never to the screen. */
export async function generate(file: string): Promise<CommandAnswer> {
  const path = resolve(file);
  const privateKey = newPrivateKey();
  try {
    writeNewFile(path, `${toHex(privateKey)}\n`, 0o600);
  } catch (error) {
    throw new KeyFileError({
      code: "cannotWrite",
      path,
      reason: errorText(error),
    });
  }
  const facts = keyFacts(keyOfText(toHex(privateKey), path));
  return { text: `Private key file: ${path}\n${factsText(facts)}`, json: { privateKeyFile: path, ...facts } };
}

/** `vedette keys public [file]`. @spec 10 §1.2 */
export async function publicKey(host: CommandHost, options: Options, file: string | undefined): Promise<CommandAnswer> {
  const { publicKey: hex } = keyFacts(await keyOf(host, options, file));
  return { text: hex, json: { publicKey: hex } };
}

/** `vedette keys address [what]`: of a public key, an Ethereum address or the own key; an address is checked. @spec 10 §1.5 */
export async function address(host: CommandHost, options: Options, what: string | undefined): Promise<CommandAnswer> {
  const found =
    (what === undefined ? undefined : addressOfText(what)) ?? addressOfKey(await keyOf(host, options, what));
  return { text: found, json: { address: found } };
}

/** `vedette keygen [folder]`. @spec 50 §5.6, 10 §1.6 */
export async function keygen(host: CommandHost, folder: string): Promise<CommandAnswer> {
  const path = resolve(folder);
  const taken = join(path, "rnode.key");
  // Before the password prompt.
  if (existsSync(taken)) throw new KeyFileError({ code: "cannotWrite", path: taken, reason: "it is there already" });
  const password = host.environment[keyEnvironment.password] ?? (await promptNewPassword(host));
  if (password === "") throw new CommandError({ code: "noPassword" });
  makeFolder(path);
  const privateKey = newPrivateKey();
  const { encryptedKey, publicKeyPem, publicKeyHex } = writeKeyFiles(path, privateKey, password);
  const lines = [
    "Success!",
    `Private key file (encrypted PEM format):  ${encryptedKey}`,
    `Public  key file (PEM format):            ${publicKeyPem}`,
    `Public  key file (HEX format):            ${publicKeyHex}`,
  ];
  const facts = keyFacts(keyOfText(toHex(privateKey), encryptedKey));
  return { text: lines.join("\n"), json: { encryptedKey, publicKeyPem, publicKeyHex, ...facts } };
}

async function promptNewPassword(host: CommandHost): Promise<string> {
  for (;;) {
    const password = await host.promptSecret("Enter password for keyfile: ");
    if (password === "") host.note("Password is empty. Try again:");
    else if (password === (await host.promptSecret("Repeat password: "))) return password;
    else host.note("Passwords do not match. Try again:");
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new KeyFileError({
      code: "cannotWrite",
      path,
      reason: errorText(error),
    });
  }
}

async function keyOf(host: CommandHost, options: Options, file: string | undefined): Promise<DeployKey> {
  if (file === undefined) return requireKeyOf(options, host);
  const isKey = /^(0x)?[0-9a-fA-F]{64}$/.test(file);
  return isKey ? keyOfText(file, "the command line") : keyOfFile(file, host);
}

function addressOfText(text: string): string | undefined {
  if (/^(0x)?[0-9a-fA-F]{40}$/.test(text)) return vaultAddressOfEthAddress(text);
  if (/^(0x)?[0-9a-fA-F]{130}$/.test(text)) return vaultAddressOfPublicKey(fromHex(text.replace(/^0x/, "")));
  if (!text.startsWith("1111") || existsSync(text)) return undefined;
  const fault = checkVaultAddress(text);
  if (fault === undefined) return text;
  throw new CommandError({ code: "unexpectedAnswer", what: `This is no vault address: ${fault}` });
}

function newPrivateKey(): Uint8Array {
  for (;;) {
    const key = new Uint8Array(randomBytes(32));
    if (isSecp256k1PrivateKey(key)) return key;
  }
}

function keyFacts(key: DeployKey): { readonly publicKey: string; readonly address: string } {
  return { publicKey: toHex(key.publicKey), address: addressOfKey(key) };
}

function factsText(facts: { readonly publicKey: string; readonly address: string }): string {
  return `Public key: ${facts.publicKey}\nAddress: ${facts.address}`;
}
