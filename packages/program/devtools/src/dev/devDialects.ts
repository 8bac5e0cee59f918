import type { Config, DialectName } from "@vedette/config";
import { contractSource, f1r3nodeContractSource, f1r3nodeContracts, systemContracts } from "@vedette/contracts";

/** The differences between dialects on chains for development. */
interface DevDialect {
  /** The sources of the contracts of genesis. */
  contracts(): readonly string[];
  /** Facts about the token for the chain's API; none of the token that all rnode networks have. */
  tokenFacts(config: Config): { readonly nativeTokenSymbol?: string; readonly nativeTokenDecimals?: number };
}

export const devDialects: Readonly<Record<DialectName, DevDialect>> = {
  rnode: {
    contracts: () => systemContracts.map((contract) => contractSource(contract)),
    tokenFacts: () => ({}),
  },
  f1r3node: {
    contracts: () => f1r3nodeContracts.map((contract) => f1r3nodeContractSource(contract)),
    tokenFacts: (config) => ({
      nativeTokenSymbol: config["casper.genesis-block-data.native-token-symbol"],
      nativeTokenDecimals: config["casper.genesis-block-data.native-token-decimals"],
    }),
  },
};
