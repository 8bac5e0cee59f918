import { join } from "node:path";
import { addressOfKey, transferTerm } from "@vedette/client";
import { startExecutorThread } from "@vedette/executor/threads";
import { openDataDirectory } from "@vedette/node/machine";
import { SoloValidator, testKey, userDeploy } from "@vedette/node/testing";
import type { Block } from "@vedette/protocol";
import { rnode } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { type Measurements, quantile } from "./Measurements.js";

const smallBlocks = 30;
const transfers = 400;
const finalizations = 15;

/** The first block of the network that is measured, and its members. */
export interface BenchedNetwork {
  /** The contracts that the figures are about. */
  readonly name: string;
  readonly genesis: Block;
  /** The test user that is the one validator. */
  readonly validator: string;
  /** Test users with money. */
  readonly payers: readonly string[];
}

/**
 * Blocks that one validator makes, on disk and with the executor on its thread: each is executed, signed, validated,
 * which executes it again, stored and finalized.
 *
 * @spec 40 §9
 */
export async function benchProposing(
  measurements: Measurements,
  { name, genesis, validator, payers }: BenchedNetwork,
  dataDirectory: string,
): Promise<void> {
  await using directory = await openDataDirectory(
    join(dataDirectory, `propose-${name.replaceAll(" ", "-")}`),
    rnode.name,
  );
  await using executor = startExecutorThread({ stateDirectory: directory.state, dialect: "rnode" });
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  const one = await SoloValidator.begin(validator, genesis, { executor, store });
  const transfer = (index: number): Promise<string | undefined> => {
    const from = payers[index % payers.length]!;
    const to = payers[(index + 1) % payers.length]!;
    const term = transferTerm(addressOf(from), addressOf(to), BigInt(index + 1), "rnode");
    const validAfterBlockNumber = one.chain.dag.nextBlockNumber() - 1n;
    return one.proposing.submit(userDeploy(from, term, { validAfterBlockNumber }));
  };
  const work = async (count: number): Promise<number> => {
    const begunMs = performance.now();
    for (let i = 0; i < count; i += 1) {
      await one.proposing.submit(userDeploy(payers[0]!, "Nil"));
      await one.make();
    }
    return count / ((performance.now() - begunMs) / 1000);
  };
  await work(5);
  measurements.add(`propose on ${name}, one deploy a block`, await work(smallBlocks), "blocks/s");
  await benchTransfers(measurements, name, one, transfer);
  const times: number[] = [];
  for (let i = 0; i < finalizations; i += 1) {
    const begunMs = performance.now();
    await transfer(i);
    const block = await one.make();
    if (one.chain.dag.lastFinalized()?.number !== block.number)
      throw new Error("a lone validator's block is not final");
    times.push(performance.now() - begunMs);
  }
  measurements.add(`propose on ${name}, deploy to finalized, median`, quantile(times, 0.5), "ms");
}

async function benchTransfers(
  measurements: Measurements,
  name: string,
  one: SoloValidator,
  transfer: (index: number) => Promise<string | undefined>,
): Promise<void> {
  const submittedMs = performance.now();
  await Promise.all(Array.from({ length: transfers }, (_, index) => transfer(index)));
  const takenMs = performance.now() - submittedMs;
  measurements.add(`propose on ${name}, deploys taken`, transfers / (takenMs / 1000), "deploys/s");
  const begunMs = performance.now();
  let blocks = 0;
  for (let left = transfers; left > 0; blocks += 1) {
    const { body } = await one.make();
    const wrong = body.deploys.find(({ failed, systemDeployError }) => failed || systemDeployError !== "");
    if (wrong !== undefined) throw new Error(`a transfer fails: ${wrong.systemDeployError}`);
    left -= body.deploys.length;
  }
  const seconds = (performance.now() - begunMs) / 1000;
  measurements.add(`propose on ${name}, transfers`, transfers / seconds, "deploys/s");
  measurements.add(`propose on ${name}, transfers of a block`, transfers / blocks, "deploys");
}

function addressOf(user: string): string {
  return addressOfKey({ algorithm: "secp256k1", ...testKey(user) });
}
