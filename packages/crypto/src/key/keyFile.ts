import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fromHexPadded, toHex } from "../bytes/hex.js";
import { writeNewFile } from "../file/lastingFile.js";
import { isSecp256k1PrivateKey, secp256k1PublicKeyOf } from "../signature/secp256k1.js";
import { KeyFileError } from "./KeyFileError.js";

const privateKeySize = 32;
// A hexadecimal key has 64 characters and an encrypted one about 400; nobody has a reason for more.
const fileLimitBytes = 16_384;
const readableByOthers = 0o004;

/** Where {@link writeKeyFiles} put the three files. @spec 10 §1.6 */
export type KeyFilePaths = {
  readonly encryptedKey: string;
  readonly publicKeyPem: string;
  readonly publicKeyHex: string;
};

/**
 * Reads a private key that is written as hexadecimal text.
 *
 * A file that every user of the machine can read is refused: the reference takes it, but a key that
 * has been open to others is no longer a secret.
 *
 * @spec 10 §1.6
 * @returns 32 bytes
 * @throws {KeyFileError} `unreadable`, `openToOthers`, `empty`, `encrypted`, `notHex`, `notPrivateKey`
 */
export function readPrivateKeyFile(path: string): Uint8Array {
  // Quirk 10 §1.6: the node reads plain text here and not the encrypted file that `keygen` writes.
  const text = readSecret(path).replace(/\s/g, "");
  if (text.startsWith("-----BEGIN")) throw new KeyFileError({ code: "encrypted", path });
  if (text.length === 0) throw new KeyFileError({ code: "empty", path });
  const key = fromHexPadded(text);
  if (key === undefined) throw new KeyFileError({ code: "notHex", path });
  return requireKey(path, key);
}

/**
 * Reads the private key of an encrypted file as {@link writeKeyFiles} and the reference's `keygen` write it.
 *
 * @spec 10 §1.6
 * @returns 32 bytes
 * @throws {KeyFileError} `unreadable`, `cannotDecrypt`, `notPrivateKey`
 */
export function readEncryptedKeyFile(path: string, password: string): Uint8Array {
  const pem = readText(path).text;
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: "pem", passphrase: password });
  } catch {
    throw new KeyFileError({ code: "cannotDecrypt", path });
  }
  const { crv, d } = key.asymmetricKeyType === "ec" ? key.export({ format: "jwk" }) : {};
  if (crv !== "secp256k1" || d === undefined) throw new KeyFileError({ code: "cannotDecrypt", path });
  return requireKey(path, new Uint8Array(Buffer.from(d, "base64url")));
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

function readSecret(path: string): string {
  const { text, mode } = readText(path);
  if ((mode & readableByOthers) !== 0) throw new KeyFileError({ code: "openToOthers", path, mode: mode & 0o777 });
  return text;
}

/** The mode is that of the very file that was read, even where the path is changed meanwhile. */
function readText(path: string): { readonly text: string; readonly mode: number } {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const content = Buffer.alloc(fileLimitBytes + 1);
    const length = readSync(file, content, 0, content.length, 0);
    if (length > fileLimitBytes) {
      throw new KeyFileError({ code: "unreadable", path, reason: `it is larger than ${fileLimitBytes} bytes` });
    }
    return { text: content.toString("utf8", 0, length), mode: fstatSync(file).mode };
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    throw new KeyFileError({ code: "unreadable", path, reason: reasonOf(error) }, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function writeNew(path: string, text: string, mode: number): void {
  try {
    writeNewFile(path, text, mode);
  } catch (error) {
    throw new KeyFileError({ code: "cannotWrite", path, reason: reasonOf(error) }, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
