import { blake2b256 } from "#blake2b256";
import { ByteWriter } from "../bytes/ByteWriter.js";
import { isBase58, parseBase58, printBase58 } from "../bytes/base58.js";
import { equalBytes } from "../bytes/compare.js";
import { concatBytes } from "../bytes/concat.js";
import { fromHexLenient } from "../bytes/hex.js";
import { keccak256 } from "../hash/keccak256.js";

// Coin id 000000, version 00.
const prefix = new Uint8Array(4);
const keyHashSize = 32;
const checksumSize = 4;
const addressSize = prefix.length + keyHashSize + checksumSize;
// No longer text can be an address: 56 characters are at least 41 bytes.
const longestAddress = 55;
const publicKeySize = 65;
const ethSize = 20;

/** The fault of a vault address, in the words of the system contracts. @spec 21 §7.6 */
export type VaultAddressFault =
  | "Invalid Base58 encoding"
  | "Invalid address length"
  | "Invalid checksum"
  | "Invalid prefix";

/**
 * The vault address of a public key.
 *
 * @spec 10 §1.5, 21 §7.6
 * @returns `undefined` where the key has not 65 bytes; its first byte may be any
 */
export function vaultAddressOfPublicKey(publicKey: Uint8Array): string | undefined {
  if (publicKey.length !== publicKeySize) return undefined;
  const hash = keccak256(publicKey.subarray(1));
  return printAddress(keccak256(hash.subarray(hash.length - ethSize)));
}

/**
 * The vault address of an Ethereum address.
 *
 * @spec 10 §1.5, 21 §7.6
 * @param text 40 characters, optionally after `0x`
 * @returns `undefined` for any other length
 */
export function vaultAddressOfEthAddress(text: string): string | undefined {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  // Quirk 10 §1.1: of the 40 characters, those that are no hexadecimal digits are left out.
  return digits.length === 2 * ethSize ? printAddress(keccak256(fromHexLenient(digits))) : undefined;
}

/** The vault address of an unforgeable name (`GPrivate`) with this id. @spec 10 §1.5, 21 §7.6 */
export function vaultAddressOfUnforgeable(id: Uint8Array): string {
  const message = new ByteWriter(id.length + 8);
  if (id.length > 0) message.u8(0x0a).varint(id.length).bytes(id);
  return printAddress(keccak256(message.finish()));
}

/** Finds the first fault of a vault address; `undefined` is a good one. @spec 10 §1.5, 21 §7.6 */
export function checkVaultAddress(text: string): VaultAddressFault | undefined {
  if (!isBase58(text)) return "Invalid Base58 encoding";
  const bytes = text.length <= longestAddress ? parseBase58(text) : undefined;
  if (bytes?.length !== addressSize) return "Invalid address length";
  const payload = bytes.subarray(0, addressSize - checksumSize);
  if (!equalBytes(checksumOf(payload), bytes.subarray(addressSize - checksumSize))) return "Invalid checksum";
  return equalBytes(payload.subarray(0, prefix.length), prefix) ? undefined : "Invalid prefix";
}

function printAddress(keyHash: Uint8Array): string {
  const payload = concatBytes(prefix, keyHash);
  return printBase58(concatBytes(payload, checksumOf(payload)));
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return blake2b256(payload).subarray(0, checksumSize);
}
