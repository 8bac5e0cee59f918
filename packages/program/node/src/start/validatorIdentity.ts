import type { Config } from "@vedette/config";
import {
  fromHex,
  isSecp256k1PrivateKey,
  KeyFileError,
  readEncryptedKeyFile,
  readPrivateKeyFile,
  secp256k1PublicKeyOf,
  signHash,
} from "@vedette/crypto";
import { errorClass } from "@vedette/errors";
import { type BlockSigner, blockAlgorithm } from "@vedette/protocol";

/**
 * The key that a validator signs with.
 *
 * The private key is in a private field, so that neither a log nor an inspection of the object shows it.
 */
export class ValidatorIdentity implements BlockSigner, Disposable {
  /** 65 bytes. */
  readonly publicKey: Uint8Array;
  readonly #privateKey: Uint8Array;

  constructor(privateKey: Uint8Array) {
    this.#privateKey = privateKey;
    this.publicKey = secp256k1PublicKeyOf(privateKey);
  }

  /** Signs a hash of 32 bytes. @spec 10 §1.2 */
  sign(hash: Uint8Array): Uint8Array {
    return signHash(blockAlgorithm, hash, this.#privateKey);
  }

  /** Overwrites the key; later calls of `sign` throw a {@link SignatureError}. */
  [Symbol.dispose](): void {
    this.#privateKey.fill(0);
  }
}

/** The key in the configuration cannot be used. */
export class ValidatorKeyError extends errorClass("ValidatorKeyError", sentence) {}

function sentence(_: { readonly code: "keyMalformed" }): string {
  return "casper.validator-private-key is not a secp256k1 key: 64 hexadecimal digits are expected. Better, write the key to a file that only you can read, and set casper.validator-private-key-path.";
}

/**
 * The identity of a node that is configured as a validator; `undefined` for an observer.
 *
 * The file wins over the key in the configuration. Error texts never hold the key.
 *
 * @param password opens a file that `keygen` has encrypted; ours: rnode takes plain text only
 * @throws {ValidatorKeyError}, {KeyFileError} the file cannot be read, is open to others, or does not hold a key
 * @spec 10 §1.6, 50 §5.3, §6.1 step 4
 */
export function validatorIdentityOf(config: Config, password?: string): ValidatorIdentity | undefined {
  const path = config["casper.validator-private-key-path"];
  if (path !== undefined) return new ValidatorIdentity(keyOfFile(path, password));
  const text = config["casper.validator-private-key"];
  if (text === undefined) return undefined;
  const digits = text.trim();
  const key = /^[0-9a-fA-F]{64}$/.test(digits) ? fromHex(digits) : undefined;
  if (key === undefined || !isSecp256k1PrivateKey(key)) throw new ValidatorKeyError({ code: "keyMalformed" });
  return new ValidatorIdentity(key);
}

function keyOfFile(path: string, password: string | undefined): Uint8Array {
  try {
    return readPrivateKeyFile(path);
  } catch (error) {
    const isEncrypted = error instanceof KeyFileError && error.failure.code === "encrypted";
    if (!isEncrypted || password === undefined) throw error;
  }
  return readEncryptedKeyFile(path, password);
}
