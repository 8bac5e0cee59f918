import { readContract } from "#read-contract";

/** The contracts of a network's genesis by the names of their sources. @spec 41 §5.1 */
export const systemContracts = [
  "Registry.rho",
  "ListOps.rho",
  "Either.rho",
  "NonNegativeNumber.rho",
  "MakeMint.rho",
  "AuthKey.rho",
  "ASIVault.rho",
  "MultiSigASIVault.rho",
  "Stack.rho",
  "PoS.rhox",
] as const;

/** One of them. */
export type SystemContract = (typeof systemContracts)[number];

/** The source of a system contract; that of PoS is a template. @spec 41 §5.2 */
export function contractSource(name: SystemContract): string {
  return readContract(name);
}
