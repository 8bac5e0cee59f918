import { maximumKeyBytes } from "./Store.js";
import { StoreError } from "./StoreError.js";

/** Whether a table can have this key. */
export function isKey(key: Uint8Array): boolean {
  return key.length > 0 && key.length <= maximumKeyBytes;
}

/** @throws {StoreError} `keySize` */
export function requireKey(key: Uint8Array): void {
  if (!isKey(key)) throw new StoreError({ code: "keySize", sizeBytes: key.length, limitBytes: maximumKeyBytes });
}
