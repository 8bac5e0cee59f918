import type { Config } from "@vedette/config";
import type { DevAccounts } from "./devAccounts.js";

/** What a genesis is made from. */
export interface GenesisPlan {
  readonly config: Config;
  readonly accounts: DevAccounts;
  readonly balance: bigint;
  readonly seed: string;
}
