export { crc14, printZbase32, registryUri } from "./address/registryUri.js";
export type { VaultAddressFault } from "./address/vaultAddress.js";
export {
  checkVaultAddress,
  vaultAddressOfEthAddress,
  vaultAddressOfPublicKey,
  vaultAddressOfUnforgeable,
} from "./address/vaultAddress.js";
export type { BytesFailure } from "./bytes/BytesError.js";
export { BytesError } from "./bytes/BytesError.js";
export { ByteWriter } from "./bytes/ByteWriter.js";
export { isBase58, parseBase58, printBase58 } from "./bytes/base58.js";
export { toBase64 } from "./bytes/base64.js";
export { compareByLengthThenBytes, compareBytes, compareSignedBytes, equalBytes } from "./bytes/compare.js";
export { concatBytes } from "./bytes/concat.js";
export { emptyBytes } from "./bytes/emptyBytes.js";
export { fromHex, fromHexLenient, fromHexPadded, toHex } from "./bytes/hex.js";
export { replaceFile, writeNewFile } from "./file/durableFile.js";
export { readSecretFile, SecretFileError } from "./file/secretFile.js";
export { blake2b256, blake2b256Input, blake2b256Of, blake2b256OfInput } from "./hash/blake2b256.js";
export { shareBlake2bCompression } from "./hash/blake2bCompression.js";
export { keccak256 } from "./hash/keccak256.js";
export { sha256 } from "./hash/sha256.js";
export type { NodeCertificate } from "./identity/certificate.js";
export { createNodeCertificate, readNodeKey } from "./identity/certificate.js";
export type { IdentityFailure } from "./identity/IdentityError.js";
export { IdentityError } from "./identity/IdentityError.js";
export type { IdentityPlace, NodeIdentity } from "./identity/identityFiles.js";
export { checkNodeIdentity, loadNodeIdentity } from "./identity/identityFiles.js";
export { nodeIdOfCertificate, nodeIdOfPublicKey } from "./identity/nodeId.js";
export type { KeyFileFailure } from "./key/KeyFileError.js";
export { KeyFileError } from "./key/KeyFileError.js";
export type { KeyFilePaths } from "./key/keyFile.js";
export { readEncryptedKeyFile, readPrivateKeyFile, writeKeyFiles } from "./key/keyFile.js";
export { F1r3nodeRandom } from "./random/F1r3nodeRandom.js";
export type { Random, RandomForm } from "./random/Random.js";
export type { RandomFailure } from "./random/RandomError.js";
export { RandomError } from "./random/RandomError.js";
export { SplittableRandom } from "./random/SplittableRandom.js";
export { shareRandomStates } from "./random/StateBufferPool.js";
export type { DeploySignatureAlgorithm, SignatureAlgorithm, SignatureRules, Signed } from "./signature/algorithms.js";
export {
  checkSignature,
  findDeploySignatureAlgorithm,
  signHash,
  signingHash,
  verifySignature,
} from "./signature/algorithms.js";
export type { SignatureFailure } from "./signature/SignatureError.js";
export { SignatureError } from "./signature/SignatureError.js";
export type { SignatureVerdict } from "./signature/secp256k1.js";
export { isSecp256k1PrivateKey, secp256k1PublicKeyOf } from "./signature/secp256k1.js";
export { createPlainBackend, isNativeSecp256k1, secp256k1Backend } from "./signature/secp256k1Backend.js";
