import type { GenesisContract } from "@vedette/contracts";
import { fromHex, secp256k1PublicKeyOf } from "@vedette/crypto";
import type { DeployKey } from "@vedette/protocol";

/** The key and the time of a genesis deploy's signature. */
export interface GenesisSigner {
  readonly key: DeployKey;
  /** Milliseconds. */
  readonly timestamp: bigint;
}

/**
 * The keys of the system contracts. They are published constants of the protocol and guard nothing: genesis refuses
 * no contract for its signature, and afterwards the API refuses what they sign.
 *
 * @spec 41 §5.1, 61 §11
 */
const systemSigners = {
  "Registry.rho": signer("5a0bde2f5857124b1379c78535b07a278e3b9cefbcacc02e62ab3294c02765a1", 1559156071321n),
  "ListOps.rho": signer("867c21c6a3245865444d80e49cac08a1c11e23b35965b566bbe9f49bb9897511", 1559156082324n),
  "Either.rho": signer("5248f8913f8572d8227a3c7787b54bd8263389f7209adc1422e36bb2beb160dc", 1559156217509n),
  "NonNegativeNumber.rho": signer("e33c9f1e925819d04733db4ec8539a84507c9e9abd32822059349449fe03997d", 1559156251792n),
  "MakeMint.rho": signer("de19d53f28d4cdee74bad062342d8486a90a652055f3de4b2efa5eb2fccc9d53", 1559156452968n),
  "AuthKey.rho": signer("f450b26bac63e5dd9343cd46f5fae1986d367a893cd21eedd98a4cb3ac699abc", 1559156356769n),
  "ASIVault.rho": signer("27e5718bf55dd673cc09f13c2bcf12ed7949b178aef5dcb6cd492ad422d05e9d", 1559156183943n),
  "MultiSigASIVault.rho": signer("2a2eaa76d6fea9f502629e32b0f8eea19b9de8e2188ec0d589fcafa98fb1f031", 1571408470880n),
  "Stack.rho": signer("c94e647de6876c954ebb7b64c40a220227770f9be003635edfe3336a1a2c8605", 1751539590099n),
  "PoS.rhox": signer("a9585a0687761139ab3587a4938fb5ab9fcba675c79fefba889859674046d4a5", 1559156420651n),
};

const contractSigners: Readonly<Record<GenesisContract, GenesisSigner>> = {
  ...systemSigners,
  "SystemVault.rho": systemSigners["ASIVault.rho"],
  "MultiSigSystemVault.rho": systemSigners["MultiSigASIVault.rho"],
  "VersionedRegistry.rho": signer("71fae159c934184222b4e6ae01247d17eceec6e5e48ef3808a91c1a30a99b365", 1781568000000n),
  "TokenMetadata.rho": signer("8f9a1c3b2d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a5b6c7d8e9f0a", 1737500000000n),
};

/** The signer of the deploys that fill vaults; the n-th is n milliseconds later. @spec 41 §5.1 */
export const vaultSigner = signer("a06959868e39bb3a8502846686a23119716ecd001700baf9e2ecfa0dbf1a3247", 1565818101792n);

/** The signer of a contract's deploy. @spec 41 §5.1, 61 §11 */
export function contractSigner(contract: GenesisContract): GenesisSigner {
  return contractSigners[contract];
}

/**
 * The public keys that may not sign deploys on rnode networks.
 *
 * @spec 41 §5.1
 */
export const systemPublicKeys: readonly Uint8Array[] = [
  ...Object.entries(systemSigners)
    .filter(([contract]) => contract !== "Stack.rho")
    .map(([, { key }]) => key.publicKey),
  vaultSigner.key.publicKey,
];

function signer(privateKeyHex: string, timestamp: bigint): GenesisSigner {
  const privateKey = fromHex(privateKeyHex);
  return { key: { algorithm: "secp256k1", privateKey, publicKey: secp256k1PublicKeyOf(privateKey) }, timestamp };
}
