// Exports all that runs in a browser: everything but files and certificates, without WebAssembly, which a page may
// forbid.
export { crc14, printZbase32, registryUri } from "../address/registryUri.js";
export type { VaultAddressFault } from "../address/vaultAddress.js";
export {
  checkVaultAddress,
  vaultAddressOfEthAddress,
  vaultAddressOfPublicKey,
  vaultAddressOfUnforgeable,
} from "../address/vaultAddress.js";
export type { BytesFailure } from "../bytes/BytesError.js";
export { BytesError } from "../bytes/BytesError.js";
export { ByteWriter } from "../bytes/ByteWriter.js";
export { isBase58, parseBase58, printBase58 } from "../bytes/base58.js";
export { toBase64 } from "../bytes/base64.js";
export { compareByLengthThenBytes, compareBytes, compareSignedBytes, equalBytes } from "../bytes/compare.js";
export { concatBytes } from "../bytes/concat.js";
export { emptyBytes } from "../bytes/emptyBytes.js";
export { fromHex, fromHexLenient, fromHexPadded, toHex } from "../bytes/hex.js";
export { keccak256 } from "../hash/keccak256.js";
export { sha256 } from "../hash/sha256.js";
export { F1r3nodeRandom } from "../random/F1r3nodeRandom.js";
export type { Random } from "../random/Random.js";
export { SplittableRandom } from "../random/SplittableRandom.js";
export type { DeploySignatureAlgorithm, SignatureAlgorithm, SignatureRules, Signed } from "../signature/algorithms.js";
export {
  checkSignature,
  findDeploySignatureAlgorithm,
  signHash,
  signingHash,
  verifySignature,
} from "../signature/algorithms.js";
export type { SignatureFailure } from "../signature/SignatureError.js";
export { SignatureError } from "../signature/SignatureError.js";
export type { SignatureVerdict } from "../signature/secp256k1.js";
export { isSecp256k1PrivateKey, secp256k1PublicKeyOf } from "../signature/secp256k1.js";
export { createPlainBackend, isNativeSecp256k1, secp256k1Backend } from "../signature/secp256k1Backend.js";
export { blake2b256, blake2b256Input, blake2b256Of, blake2b256OfInput } from "./plainBlake2b256.js";
