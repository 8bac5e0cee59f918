/** The dialect of a network: rnode's rules, or the newer one's. @spec 61 §0 */
export type NetworkDialect = "rnode" | "f1r3node";

/** Where the registry has the contracts that every network begins with. @spec 41 §5.1, 61 §11 */
export interface SystemNames {
  readonly vaults: string;
  readonly proofOfStake: string;
}

/** By the network's dialect. */
export const systemNames: Readonly<Record<NetworkDialect, SystemNames>> = {
  rnode: { vaults: "rho:rchain:asiVault", proofOfStake: "rho:rchain:pos" },
  f1r3node: { vaults: "rho:vault:system", proofOfStake: "rho:system:pos" },
};
