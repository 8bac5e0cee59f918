import { type NewerContract, newerContracts } from "@vedette/contracts";
import { memoryStateStore, rustSpace, type StateStore } from "@vedette/tuplespace";
import { genesisDeploysOf } from "../genesis/genesisDeploys.js";
import type { NewerGenesisParameters } from "../genesis/NewerGenesisParameters.js";
import { rustGenesis } from "../genesis/rustGenesis.js";
import { playGenesisState } from "../play/playGenesisState.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import { type GenesisState, testParameters } from "./genesisState.js";
import { rustTrial } from "./Trial.js";

/** Those of the recorded chain `solo-r`: the people of `testParameters`, and the newer node's names for the token. */
export function newerTestParameters(): NewerGenesisParameters {
  return {
    ...testParameters(),
    nativeToken: { name: "F1R3CAP", symbol: "F1R3", decimals: 8 },
    faultToleranceThresholdPpm: 0,
  };
}

/**
 * Plays the deploys of a genesis of the newer node for some contracts, in memory unless said otherwise.
 *
 * @throws Error when one of them fails
 */
export function newerGenesisState(
  contracts: readonly NewerContract[] = newerContracts,
  parameters: Partial<NewerGenesisParameters> = {},
  states: StateStore = memoryStateStore(rustSpace),
): GenesisState {
  const { execution } = rustGenesis;
  const preState = commitEmptyState(states, execution);
  const deploys = genesisDeploysOf(contracts, { ...newerTestParameters(), ...parameters }, rustGenesis);
  const genesis = { preState, timestamp: 1_700_000_000_000n, blockNumber: 0n, deploys };
  const played = playGenesisState(states, genesis, execution);
  const failed = played.deploys.find((deploy) => deploy.failed);
  if (failed !== undefined) throw new Error(`A deploy of genesis failed: ${failed.deploy.term.slice(0, 80)}`);
  return { states, root: played.postState, trial: rustTrial, costs: played.deploys.map(({ cost }) => cost) };
}
