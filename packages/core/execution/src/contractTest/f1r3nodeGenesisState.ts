import type { F1r3nodeContract } from "@vedette/contracts";
import { f1r3nodeSpace, memoryStateStore, type StateStore } from "@vedette/tuplespace";
import type { F1r3nodeGenesisParameters } from "../genesis/F1r3nodeGenesisParameters.js";
import { f1r3nodeGenesis } from "../genesis/f1r3nodeGenesis.js";
import { genesisDeploysOf } from "../genesis/genesisDeploys.js";
import { playGenesisState } from "../play/playGenesisState.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import { f1r3nodeTrial } from "./ContractTestDialect.js";
import { type GenesisState, testParameters } from "./genesisState.js";

/** Those of the recorded chain `solo-r`: the people of `testParameters`, and f1r3node's names for the token. */
export function f1r3nodeTestParameters(): F1r3nodeGenesisParameters {
  return {
    ...testParameters(),
    nativeToken: { name: "F1R3CAP", symbol: "F1R3", decimals: 8 },
    faultToleranceThresholdPpm: 0,
  };
}

/**
 * Plays the deploys of a genesis of f1r3node for some contracts, in memory if no store is given.
 *
 * @throws Error when one of them fails
 */
export function f1r3nodeGenesisState(
  contracts: readonly F1r3nodeContract[],
  parameters: Partial<F1r3nodeGenesisParameters> = {},
  states: StateStore = memoryStateStore(f1r3nodeSpace),
): GenesisState {
  const { execution } = f1r3nodeGenesis;
  const preState = commitEmptyState(states, execution);
  const deploys = genesisDeploysOf(contracts, { ...f1r3nodeTestParameters(), ...parameters }, f1r3nodeGenesis);
  const genesis = { preState, timestamp: 1_700_000_000_000n, blockNumber: 0n, deploys };
  const played = playGenesisState(states, genesis, execution);
  const failed = played.deploys.find((deploy) => deploy.failed);
  if (failed !== undefined) throw new Error(`A deploy of genesis failed: ${failed.deploy.term.slice(0, 80)}`);
  return { states, root: played.postState, trial: f1r3nodeTrial, costs: played.deploys.map(({ cost }) => cost) };
}
