import { join } from "node:path";
import { genesisBlock } from "@vedette/chain";
import { addressOfKey } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { type GenesisParameters, genesisDeploys } from "@vedette/execution";
import { type Block, decodeBlock, rnodeScala } from "@vedette/protocol";
import { openDataDirectory } from "../start/dataDirectory.js";
import { testKey } from "../testing/SoloValidator.js";
import { startExecutorThread } from "../thread/executor.js";
import type { Measurements } from "./Measurements.js";

const timestamp = 1_700_000_000_000n;
const balance = 1_000_000_000_000n;

/**
 * A first block with our own contracts: one validator, and users with money. Measures how long it takes to make.
 *
 * @spec 40 §10.1
 */
export async function makeOwnGenesis(
  measurements: Measurements,
  { validator, payers }: { readonly validator: string; readonly payers: readonly string[] },
  dataDirectory: string,
): Promise<Block> {
  await using directory = await openDataDirectory(join(dataDirectory, "own-genesis"));
  await using executor = startExecutorThread({ stateDirectory: directory.state });
  const bonds = [{ validator: testKey(validator).publicKey, stake: 1_000n }];
  const parameters: GenesisParameters = {
    ...{ shardId: "root", bonds, minimumBond: 1n, maximumBond: 1_000_000n },
    wallets: payers.map((user) => ({ address: addressOfKey(testKey(user)), balance })),
    ...{ epochLength: 10_000, quarantineLength: 50_000, numberOfActiveValidators: 100 },
    posMultiSigPublicKeys: [toHex(testKey(validator).publicKey)],
    posMultiSigQuorum: 1,
  };
  const deploys = genesisDeploys(parameters);
  await executor.makeEmptyState();
  const begunMs = performance.now();
  const answer = await executor.playGenesis({ timestamp, blockNumber: 0n, deploys });
  if (answer.kind === "failed") throw new Error(`genesis cannot be made: ${answer.message}`);
  measurements.add("genesis of our own contracts", performance.now() - begunMs, "ms");
  const content = { timestamp, shardName: "root", bonds, deploys, judgesByEvidence: true };
  return genesisBlock(decodeBlock(answer.block).body, content, rnodeScala);
}
