import type { NetworkDialect } from "@vedette/client";

/** The meaning of a URI, in a few words. */
export interface KnownUri {
  readonly uri: string;
  readonly about: string;
}

/** The same on all networks. */
const libraries: readonly KnownUri[] = [
  { uri: "rho:lang:listOps", about: "lists: map, fold, filter" },
  { uri: "rho:lang:either", about: "results that may be errors" },
  { uri: "rho:lang:nonNegativeNumber", about: "numbers that do not fall below zero" },
  { uri: "rho:lang:treeHashMap", about: "large maps" },
  { uri: "rho:lang:stack", about: "stacks" },
];

/** Contracts of genesis, by the network's dialect. @spec 41 §6, 61 §11 */
export const contracts: Readonly<Record<NetworkDialect, readonly KnownUri[]>> = {
  rnode: [
    { uri: "rho:rchain:asiVault", about: "vaults: balances, transfers" },
    { uri: "rho:rchain:pos", about: "proof of stake: bonds, validators, epochs" },
    { uri: "rho:rchain:multiSigASIVault", about: "vaults of several keys" },
    { uri: "rho:rchain:makeMint", about: "mints and purses of tokens" },
    { uri: "rho:rchain:authKey", about: "keys that a contract checks" },
    ...libraries,
  ],
  f1r3node: [
    { uri: "rho:vault:system", about: "vaults: balances, transfers" },
    { uri: "rho:system:pos", about: "proof of stake: bonds, validators, epochs" },
    { uri: "rho:vault:multiSig", about: "vaults of several keys" },
    { uri: "rho:system:makeMint", about: "mints and purses of tokens" },
    { uri: "rho:system:authKey", about: "keys that a contract checks" },
    { uri: "rho:system:tokenMetadata", about: "name, symbol and decimals of the network's coin" },
    ...libraries,
  ],
};

/** Processes that every node has, for programs to send to. @spec 21 §7.1 */
export const processes: readonly KnownUri[] = [
  { uri: "rho:io:stdout", about: "writes a value to the node's output" },
  { uri: "rho:io:stdoutAck", about: "writes a value and answers: (value, answer)" },
  { uri: "rho:block:data", about: "number, time and sender of the block: (answer)" },
  { uri: "rho:deploy:data", about: "time, deployer and id of the deploy: (answer)" },
  { uri: "rho:rchain:deployId", about: "the name of this deploy: what is sent there is found by its id" },
  { uri: "rho:rchain:deployerId", about: "the name of the signer: proof for contracts" },
  { uri: "rho:registry:lookup", about: "finds what is registered: (URI, answer)" },
  { uri: "rho:registry:insertArbitrary", about: "registers a value under a new URI: (value, answer)" },
  {
    uri: "rho:registry:insertSigned:secp256k1",
    about: "registers a value under the URI of a key: (key, value, signature, answer)",
  },
  { uri: "rho:crypto:blake2b256Hash", about: "hashes bytes: (bytes, answer)" },
  { uri: "rho:crypto:keccak256Hash", about: "hashes bytes: (bytes, answer)" },
  { uri: "rho:crypto:sha256Hash", about: "hashes bytes: (bytes, answer)" },
  { uri: "rho:crypto:secp256k1Verify", about: "checks a signature: (hash, signature, public key, answer)" },
  { uri: "rho:crypto:ed25519Verify", about: "checks a signature: (message, signature, public key, answer)" },
];

/** Where a URI without a deploy comes from; undefined for all others. */
export function knownUriOf(uri: string, dialect: NetworkDialect) {
  const contract = contracts[dialect].find((known) => known.uri === uri);
  if (contract !== undefined) return { about: contract.about, origin: "genesis" } as const;
  const process = processes.find((known) => known.uri === uri);
  return process && ({ about: process.about, origin: "system" } as const);
}
