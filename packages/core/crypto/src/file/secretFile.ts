import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errorClass, errorText } from "@vedette/errors";

// A key has less than a kilobyte, and credentials with a certificate have a few kilobytes.
const largestBytes = 16_384;
const readableByOthers = 0o004;

/** Why a file is not taken as one that holds a secret. */
export type SecretFileFailure =
  | { readonly code: "unreadable"; readonly path: string; readonly reason: string }
  | { readonly code: "openToOthers"; readonly path: string; readonly mode: number };

/** A secret's file cannot be read, or every user can read it. The message never contains a part of the secret. */
export class SecretFileError extends errorClass("SecretFileError", sentence) {}

/**
 * Reads a file that holds a key, a credential or a password.
 *
 * A file that every user of the machine can read is refused: it is no longer a secret.
 *
 * @throws {SecretFileError}
 */
export function readSecretFile(path: string): Buffer {
  const { content, mode } = readSmallFile(path);
  // There are no such modes on Windows.
  if (process.platform === "win32" || (mode & readableByOthers) === 0) return content;
  content.fill(0);
  throw new SecretFileError({ code: "openToOthers", path, mode: mode & 0o777 });
}

/**
 * Reads at most 16 KiB, and the mode of the very file that was read, even where the path is changed meanwhile.
 *
 * @throws {SecretFileError} `unreadable`
 */
export function readSmallFile(path: string): { readonly content: Buffer; readonly mode: number } {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const content = Buffer.alloc(largestBytes + 1);
    const length = readSync(file, content, 0, content.length, 0);
    if (length > largestBytes) throw new RangeError(`it is larger than ${largestBytes} bytes`);
    return { content: content.subarray(0, length), mode: fstatSync(file).mode };
  } catch (error) {
    throw new SecretFileError({ code: "unreadable", path, reason: errorText(error) }, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function sentence(failure: SecretFileFailure): string {
  const { path } = failure;
  if (failure.code === "unreadable") return `Cannot read ${path}: ${failure.reason}`;
  return `${path} is readable by every user of this machine (mode ${failure.mode.toString(8)}); run \`chmod 600 ${path}\``;
}
