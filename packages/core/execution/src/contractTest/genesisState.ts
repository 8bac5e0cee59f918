import { f1r3nodeContracts, type GenesisContract, type SystemContract, systemContracts } from "@vedette/contracts";
import { blake2b256, fromHex, secp256k1PublicKeyOf, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { DeployKey } from "@vedette/protocol";
import { memoryStateStore, type StateStore } from "@vedette/tuplespace";
import { rnodeExecution } from "../form/rnodeExecution.js";
import type { GenesisParameters } from "../genesis/GenesisParameters.js";
import { genesisDeploysOf } from "../genesis/genesisDeploys.js";
import { rnodeGenesis } from "../genesis/rnodeGenesis.js";
import { contractSigner, vaultSigner } from "../genesis/systemKeys.js";
import { playGenesis } from "../play/playBlock.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import type { ContractTestDialect } from "./ContractTestDialect.js";

/** A state on which programs can be tried. */
export interface TestState {
  readonly states: StateStore;
  readonly root: Uint8Array;
  /** How programs run on it; left out: as on rnode networks. */
  readonly trial?: ContractTestDialect;
}

/** The state after genesis, and what it cost. */
export interface GenesisState extends TestState {
  /** Phlo by deploy, in the order of genesis. */
  readonly costs: readonly bigint[];
}

/**
 * Returns the key of a test person. `u1`, `v1` and so on have the keys of the recorded chains. The name of a contract or
 * `vaults` means that deploy's key of genesis; 64 hexadecimal digits are a key themselves.
 */
export function testKey(name: string): DeployKey {
  if (name === "vaults") return vaultSigner.key;
  if (contractNames.has(name)) return contractSigner(name as GenesisContract).key;
  const isKey = /^[0-9a-f]{64}$/.test(name);
  const privateKey = isKey ? fromHex(name) : blake2b256(new TextEncoder().encode(`vedette test key ${name}`));
  return { algorithm: "secp256k1", privateKey, publicKey: secp256k1PublicKeyOf(privateKey) };
}

const contractNames: ReadonlySet<string> = new Set([...systemContracts, ...f1r3nodeContracts]);

/** The vault address of a person in tests. */
export function testAddress(name: string): string {
  return vaultAddressOfPublicKey(testKey(name).publicKey)!;
}

/** Those of the recorded chain `solo`: the people of its wallets, and v1's stake. */
export function testParameters(): GenesisParameters {
  return {
    shardId: "root",
    bonds: [{ validator: testKey("v1").publicKey, stake: 1000n }],
    wallets: ["u1", "u2", "u3", "u4", "v1", "v2", "v3"].map((name) => ({
      address: testAddress(name),
      balance: 50_000_000_000_000_000n,
    })),
    minimumBond: 1n,
    maximumBond: 2n ** 63n - 1n,
    epochLength: 10,
    quarantineLength: 10,
    numberOfActiveValidators: 100,
    posMultiSigPublicKeys: ["pos1", "pos2", "pos3"].map((name) => toHex(testKey(name).publicKey)),
    posMultiSigQuorum: 2,
  };
}

/**
 * Plays the deploys of genesis for some contracts, by default in memory.
 *
 * @throws Error when one of them fails
 */
export function genesisState(
  contracts: readonly SystemContract[],
  parameters: Partial<GenesisParameters> = {},
  states: StateStore = memoryStateStore(),
): GenesisState {
  const preState = commitEmptyState(states, rnodeExecution);
  const deploys = genesisDeploysOf(contracts, { ...testParameters(), ...parameters }, rnodeGenesis);
  const genesis = { preState, timestamp: 1_700_000_000_000n, blockNumber: 0n, deploys };
  const played = playGenesis(states, genesis);
  const failed = deploys.find((deploy) => !played.deploys.some((one) => one.deploy === deploy));
  if (failed !== undefined) throw new Error(`A deploy of genesis failed: ${failed.term.slice(0, 80)}`);
  return { states, root: played.postState, costs: played.deploys.map(({ cost }) => cost) };
}
