import { emptyBytes, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import {
  type F1r3nodeGenesisParameters,
  type F1r3nodeStates,
  f1r3nodeGenesis,
  genesisDeploys,
} from "@vedette/execution";
import { type Block, f1r3node } from "@vedette/protocol";
import { genesisBlock } from "../genesis/genesisBlock.js";
import { testKey } from "./ProposeNetwork.js";

const timestamp = 1_700_000_000_000n;
const balance = 50_000_000_000_000_000n;

/** The test users of an f1r3node network with our own contracts from its first block on, by name. */
export interface F1r3nodePeople {
  /** The validators. */
  readonly stakes: Readonly<Record<string, number>>;
  /** Those with a vault. */
  readonly payers?: readonly string[];
  /**
   * The parameters that differ from the defaults: epochs of 10 blocks, a quarantine as long, no threshold, all
   * validators active.
   */
  readonly parameters?: Partial<F1r3nodeGenesisParameters>;
}

/** The parameters of the genesis contracts of an f1r3node network. @spec 61 §11 */
export function f1r3nodeParameters({ stakes, payers = [], parameters }: F1r3nodePeople): F1r3nodeGenesisParameters {
  const bonds = Object.entries(stakes).map(([name, stake]) => ({
    validator: testKey(name).publicKey,
    stake: BigInt(stake),
  }));
  return {
    ...{ shardId: "root", bonds, minimumBond: 1n, maximumBond: 2n ** 63n - 1n },
    wallets: payers.map((name) => ({ address: vaultAddressOfPublicKey(testKey(name).publicKey)!, balance })),
    ...{ epochLength: 10, quarantineLength: 10, numberOfActiveValidators: 100 },
    posMultiSigPublicKeys: bonds.slice(0, 1).map(({ validator }) => toHex(validator)),
    posMultiSigQuorum: 1,
    nativeToken: { name: "F1R3CAP", symbol: "F1R3", decimals: 8 },
    faultToleranceThresholdPpm: 0,
    ...parameters,
  };
}

/**
 * The first block of an f1r3node network with our own contracts; its state is in `states` afterwards.
 *
 * @spec 61 §11
 * @cost seconds
 */
export function f1r3nodeGenesisCase(states: F1r3nodeStates, people: F1r3nodePeople): Block {
  const parameters = f1r3nodeParameters(people);
  const deploys = genesisDeploys(parameters, f1r3nodeGenesis);
  const played = states.playGenesis({ timestamp, blockNumber: 0n, deploys });
  const { preState: preStateHash, postState: postStateHash } = played;
  const state = { preStateHash, postStateHash, bonds: states.bonds(postStateHash), blockNumber: 0n };
  const { deploys: processed } = played;
  const body = { state, deploys: processed, systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] };
  const { bonds, shardId: shardName } = parameters;
  return genesisBlock(body, { timestamp, shardName, bonds, deploys, judgesByEvidence: false }, f1r3node);
}
