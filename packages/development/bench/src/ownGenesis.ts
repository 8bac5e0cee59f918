import { join } from "node:path";
import { genesisBlock } from "@vedette/chain";
import { addressOfKey } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { type GenesisParameters, genesisDeploys, rnodeGenesis } from "@vedette/execution";
import { startExecutorThread } from "@vedette/executor/threads";
import { openDataDirectory } from "@vedette/node/machine";
import { testKey } from "@vedette/node/testing";
import { type Block, decodeBlock, rnode } from "@vedette/protocol";
import type { Measurements } from "./Measurements.js";

const timestamp = 1_700_000_000_000n;
const balance = 1_000_000_000_000n;

/** The members of a network on our own contracts, from its first block on. */
export interface OwnNetwork {
  /** Test users with the same stake. */
  readonly validators: readonly string[];
  /** Test users with money. */
  readonly payers: readonly string[];
  /** Blocks; 10,000 without. */
  readonly epochLength?: number;
}

/** The members of mixed chains: three validators that take turns, short epochs. */
export const mixedPeople: OwnNetwork = {
  validators: ["v1", "v2", "v3"],
  payers: ["u1", "u2", "u3", "u4"],
  epochLength: 1_000,
};

/**
 * A first block with our own contracts: validators, and users with money. Measures how long it takes to make.
 *
 * @spec 40 §10.1
 */
export async function makeOwnGenesis(
  measurements: Measurements,
  { validators, payers, epochLength = 10_000 }: OwnNetwork,
  dataDirectory: string,
): Promise<Block> {
  await using directory = await openDataDirectory(join(dataDirectory, "own-genesis"), rnode.name);
  await using executor = startExecutorThread({ stateDirectory: directory.state, dialect: "rnode" });
  const bonds = validators.map((user) => ({ validator: testKey(user).publicKey, stake: 1_000n }));
  const parameters: GenesisParameters = {
    ...{ shardId: "root", bonds, minimumBond: 1n, maximumBond: 1_000_000n },
    wallets: payers.map((user) => ({ address: addressOfKey(testKey(user)), balance })),
    ...{ epochLength, quarantineLength: 5 * epochLength, numberOfActiveValidators: 100 },
    posMultiSigPublicKeys: [toHex(bonds[0]!.validator)],
    posMultiSigQuorum: 1,
  };
  const deploys = genesisDeploys(parameters, rnodeGenesis);
  await executor.makeEmptyState();
  const begunMs = performance.now();
  const answer = await executor.playGenesis({ timestamp, blockNumber: 0n, deploys });
  if (answer.kind === "failed") throw new Error(`genesis cannot be made: ${answer.message}`);
  measurements.add("genesis of our own contracts", performance.now() - begunMs, "ms");
  const content = { timestamp, shardName: "root", bonds, deploys, judgesByEvidence: true };
  return genesisBlock(decodeBlock(answer.block, rnode.blockForm).body, content, rnode);
}
