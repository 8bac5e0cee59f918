import { errorClass } from "@vedette/errors";
import type { SecretFileFailure } from "../file/secretFile.js";

/** The faults of a file that holds a private key. */
export type KeyFileFailure =
  | SecretFileFailure
  | { readonly code: "empty"; readonly path: string }
  | { readonly code: "notHex"; readonly path: string }
  | { readonly code: "encrypted"; readonly path: string }
  | { readonly code: "notPrivateKey"; readonly path: string }
  | { readonly code: "cannotDecrypt"; readonly path: string }
  | { readonly code: "cannotWrite"; readonly path: string; readonly reason: string };

/** A key file cannot be read or written; the message never holds a part of the key. @spec 10 §1.6 */
export class KeyFileError extends errorClass("KeyFileError", sentence) {}

function sentence(failure: KeyFileFailure): string {
  const { path } = failure;
  switch (failure.code) {
    case "unreadable":
      return `cannot read private key file ${path}: ${failure.reason}`;
    case "openToOthers":
      return `private key file ${path} is readable by every user of this machine (mode ${failure.mode.toString(8)}): run \`chmod 600 ${path}\``;
    case "empty":
      return `Invalid private key file format at ${path}. File is empty or contains only whitespace.`;
    case "notHex":
      return `Invalid private key file format at ${path}. Expected base16-encoded (hex) private key.`;
    case "encrypted":
      return `private key file ${path} is encrypted: set VEDETTE_KEY_PASSWORD`;
    case "notPrivateKey":
      return `invalid private key in ${path}: expected 32 bytes below the secp256k1 order`;
    case "cannotDecrypt":
      return `cannot open key file ${path}: wrong password, or not an encrypted secp256k1 key in PEM form`;
    case "cannotWrite":
      return `cannot write key file ${path}: ${failure.reason}`;
  }
}
