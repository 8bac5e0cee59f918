import { readContract } from "#read-contract";
import { applyChanges } from "./applyChanges.js";
import type { SystemContract } from "./contractSource.js";
import { withF1r3nodeUrns } from "./f1r3nodeContractUrns.js";

/** The contracts of genesis on f1r3node networks, in their order but for PoS, the last deploy. @spec 61 §11 */
export const f1r3nodeContracts = [
  "Registry.rho",
  "VersionedRegistry.rho",
  "ListOps.rho",
  "Either.rho",
  "NonNegativeNumber.rho",
  "MakeMint.rho",
  "AuthKey.rho",
  "SystemVault.rho",
  "MultiSigSystemVault.rho",
  "Stack.rho",
  "TokenMetadata.rho",
  "PoS.rhox",
] as const;

/** One of them. */
export type F1r3nodeContract = (typeof f1r3nodeContracts)[number];

/** A contract of genesis on a network of any dialect, by the name of its source. */
export type GenesisContract = SystemContract | F1r3nodeContract;

/** A contract is f1r3node's in f1r3node's words, with changes where it answers otherwise; or it is new. */
type Origin = { readonly like: SystemContract; readonly changes?: string } | { readonly own: string };

const origins: Readonly<Record<F1r3nodeContract, Origin>> = {
  "Registry.rho": { like: "Registry.rho", changes: "Registry.changes" },
  "VersionedRegistry.rho": { own: "VersionedRegistry.rho" },
  "ListOps.rho": { like: "ListOps.rho", changes: "ListOps.changes" },
  "Either.rho": { like: "Either.rho" },
  "NonNegativeNumber.rho": { like: "NonNegativeNumber.rho" },
  "MakeMint.rho": { like: "MakeMint.rho" },
  "AuthKey.rho": { like: "AuthKey.rho" },
  "SystemVault.rho": { like: "ASIVault.rho" },
  "MultiSigSystemVault.rho": { like: "MultiSigASIVault.rho" },
  "Stack.rho": { like: "Stack.rho" },
  "TokenMetadata.rho": { own: "TokenMetadata.rho" },
  "PoS.rhox": { like: "PoS.rhox", changes: "PoS.changes" },
};

/**
 * The source of a contract for f1r3node networks; those of TokenMetadata and PoS are templates.
 *
 * @spec 61 §11
 */
export function f1r3nodeContractSource(name: F1r3nodeContract): string {
  const origin = origins[name];
  if ("own" in origin) return readContract(origin.own);
  const renamed = withF1r3nodeUrns(readContract(origin.like))
    .replaceAll("ASIVault", "SystemVault")
    .replaceAll("`asiAddress`", "`vaultAddress`");
  const { changes } = origin;
  return changes === undefined ? renamed : applyChanges(renamed, readContract(changes), changes);
}
