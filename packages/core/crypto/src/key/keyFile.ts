import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { errorText } from "@vedette/errors";
import { fromHexDigits, toHex } from "../bytes/hex.js";
import { writeNewFile } from "../file/durableFile.js";
import { readSecretFile, readSmallFile, SecretFileError } from "../file/secretFile.js";
import { isSecp256k1PrivateKey, secp256k1PublicKeyOf } from "../signature/secp256k1.js";
import { KeyFileError } from "./KeyFileError.js";

const privateKeySize = 32;
/** White space of ASCII, and the mark that some editors put in front of UTF-8. */
const whiteSpace: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);
const pemBegin = Buffer.from("-----BEGIN");
const sec1KeyOffset = 7;

/** Where {@link writeKeyFiles} put the three files. @spec 10 §1.6 */
export type KeyFilePaths = {
  readonly encryptedKey: string;
  readonly publicKeyPem: string;
  readonly publicKeyHex: string;
};

/**
 * Reads a private key that is written as hexadecimal text.
 *
 * A file that every user of the machine can read is refused: rnode takes it, but a key that
 * has been open to others is no longer a secret.
 *
 * @spec 10 §1.6
 * @returns 32 bytes
 * @throws {KeyFileError} `unreadable`, `openToOthers`, `empty`, `encrypted`, `notHex`, `notPrivateKey`
 */
export function readPrivateKeyFile(path: string): Uint8Array {
  const content = readKeyFile(() => readSecretFile(path));
  const digits = content.filter((byte) => !whiteSpace.has(byte));
  try {
    // Quirk 10 §1.6: the node reads plain text here and not the encrypted file that `keygen` writes.
    if (pemBegin.equals(digits.subarray(0, pemBegin.length))) throw new KeyFileError({ code: "encrypted", path });
    if (digits.length === 0) throw new KeyFileError({ code: "empty", path });
    const key = fromHexDigits(digits);
    if (key === undefined) throw new KeyFileError({ code: "notHex", path });
    return requireKey(path, key);
  } finally {
    forget(content, digits);
  }
}

/**
 * Reads the private key of an encrypted file as {@link writeKeyFiles} and rnode's `keygen` write it.
 *
 * @spec 10 §1.6
 * @returns 32 bytes
 * @throws {KeyFileError} `unreadable`, `cannotDecrypt`, `notPrivateKey`
 */
export function readEncryptedKeyFile(path: string, password: string): Uint8Array {
  const { content: pem } = readKeyFile(() => readSmallFile(path));
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: "pem", passphrase: password });
  } catch {
    throw new KeyFileError({ code: "cannotDecrypt", path });
  }
  if (key.asymmetricKeyDetails?.namedCurve !== "secp256k1") throw new KeyFileError({ code: "cannotDecrypt", path });
  const der = key.export({ type: "sec1", format: "der" });
  try {
    // SEC 1, C.4: version 1, then the number as an octet string of the curve's size; the length takes one byte.
    return requireKey(path, Uint8Array.from(der.subarray(sec1KeyOffset, sec1KeyOffset + privateKeySize)));
  } finally {
    forget(der);
  }
}

/**
 * Writes a key pair: `rnode.key` (encrypted), `rnode.pub.pem` and `rnode.pub.hex`.
 *
 * Files that are there already are never overwritten.
 *
 * @spec 10 §1.6
 * @throws {KeyFileError} `cannotWrite`
 */
export function writeKeyFiles(folder: string, privateKey: Uint8Array, password: string): KeyFilePaths {
  const publicKey = secp256k1PublicKeyOf(privateKey);
  const key = keyObject(privateKey, publicKey);
  const pem = key.export({ type: "sec1", format: "pem", cipher: "aes-256-cbc", passphrase: password });
  const publicPem = createPublicKey(key).export({ type: "spki", format: "pem" });
  const paths = {
    encryptedKey: join(folder, "rnode.key"),
    publicKeyPem: join(folder, "rnode.pub.pem"),
    publicKeyHex: join(folder, "rnode.pub.hex"),
  };
  writeNew(paths.encryptedKey, pem.toString(), 0o600);
  writeNew(paths.publicKeyPem, publicPem.toString(), 0o644);
  writeNew(paths.publicKeyHex, `${toHex(publicKey)}\n`, 0o644);
  return paths;
}

function keyObject(privateKey: Uint8Array, publicKey: Uint8Array): KeyObject {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const point = { x: text(publicKey.subarray(1, 33)), y: text(publicKey.subarray(33)) };
  return createPrivateKey({ key: { kty: "EC", crv: "secp256k1", ...point, d: text(privateKey) }, format: "jwk" });
}

function requireKey(path: string, key: Uint8Array): Uint8Array {
  if (key.length !== privateKeySize || !isSecp256k1PrivateKey(key)) {
    throw new KeyFileError({ code: "notPrivateKey", path });
  }
  return key;
}

/** Overwrites the buffers that held a key: Node.js does not clear freed memory. */
function forget(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}

/** Reads a key file. @throws {KeyFileError} the fault of the file, as the failure of a private key */
function readKeyFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SecretFileError ? new KeyFileError(error.failure, { cause: error }) : error;
  }
}

function writeNew(path: string, text: string, mode: number): void {
  try {
    writeNewFile(path, text, mode);
  } catch (error) {
    throw new KeyFileError({ code: "cannotWrite", path, reason: errorText(error) }, { cause: error });
  }
}
