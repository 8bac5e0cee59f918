import type { SecretFileFailure } from "../file/secretFile.js";

/** What can be wrong with a file that holds a private key. */
export type KeyFileFailure =
  | SecretFileFailure
  | { readonly code: "empty"; readonly path: string }
  | { readonly code: "notHex"; readonly path: string }
  | { readonly code: "encrypted"; readonly path: string }
  | { readonly code: "notPrivateKey"; readonly path: string }
  | { readonly code: "cannotDecrypt"; readonly path: string }
  | { readonly code: "cannotWrite"; readonly path: string; readonly reason: string };

/** A key file cannot be read or written; the message never holds a part of the key. @spec 10 §1.6 */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";

  constructor(
    readonly failure: KeyFileFailure,
    options?: ErrorOptions,
  ) {
    super(sentence(failure), options);
  }
}

function sentence(failure: KeyFileFailure): string {
  const { path } = failure;
  switch (failure.code) {
    case "unreadable":
      return `Cannot read the private key file ${path}: ${failure.reason}`;
    case "openToOthers":
      return `The private key file ${path} can be read by every user of this machine (mode ${failure.mode.toString(8)}); run \`chmod 600 ${path}\``;
    case "empty":
      return `Invalid private key file format at ${path}. File is empty or contains only whitespace.`;
    case "notHex":
      return `Invalid private key file format at ${path}. Expected base16-encoded (hex) private key.`;
    case "encrypted":
      return `The private key file ${path} is encrypted; set VEDETTE_KEY_PASSWORD to its password`;
    case "notPrivateKey":
      return `The private key file ${path} holds no private key; expected 32 bytes below the order of secp256k1`;
    case "cannotDecrypt":
      return `The key file ${path} cannot be opened: wrong password, or no encrypted secp256k1 key in PEM form`;
    case "cannotWrite":
      return `Cannot write the key file ${path}: ${failure.reason}`;
  }
}
