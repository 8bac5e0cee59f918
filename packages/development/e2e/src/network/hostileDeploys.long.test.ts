// Covers: execution, rholang, executor
import { deployKeyOf, transferWithResultTerm, validAfterLatest } from "@vedette/client";
import { fromHex } from "@vedette/crypto";
import type { TestWallet } from "@vedette/devtools/devnet";
import { hostileKinds } from "@vedette/executor/testing";
import type { Deploy } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { dialectNames, type ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { deployIsFinal, signedBy, transferBy } from "./networkDeploys.js";

const rhythmMs = 5_000;
const hostileKeys = 50;
const handedInAtOnce = 4;
/** Enough for whatever the hostile programs want; nothing of it is ever paid. */
const hostilePhlo = 10_000_000_000n;

interface MadeBlock extends ListedBlock {
  readonly timestamp: number;
}

interface Sent {
  readonly what: string;
  readonly validator: string;
  readonly id: string;
  /** When the validator had answered. */
  readonly takenMs: number;
}

describe("deploys that cannot be executed", () => {
  test.each(dialectNames)(
    "of many keys keep no honest transfer out for longer than two rounds: %s",
    async (dialect) => {
      await using network = await NetworkProcesses.start({
        validators: 3,
        wallets: hostileKeys + 5,
        rhythmMs,
        dialect,
      });
      const [payer, receiver, ...others] = network.wallets as [TestWallet, TestWallet, ...TestWallet[]];
      const newcomers = others.splice(0, 3);
      await network.finalizes(network.names, 1);
      const before = await transferBy(network, "validator1", { from: payer, to: receiver, amount: 1n });
      await deployIsFinal(network, "validator1", before);

      const hostile = await hostileDeploys(network, others);
      const beganMs = Date.now();
      const answers = await Promise.all(network.validators.map((name) => handIn(network, name, hostile)));
      const taken = answers.map((all) => all.filter((answer) => /^[0-9a-f]{60,}$/.test(answer)).length);
      print(`${hostile.length} hostile deploys of ${hostileKeys} keys, taken by the validators: ${taken.join(", ")}`);
      expect(Math.min(...taken)).toBeGreaterThan(hostile.length / 2);
      const sent: Sent[] = [];
      for (const [at, validator] of network.validators.entries()) {
        const transfers = { payer, newcomer: newcomers[at]! };
        for (const [who, from] of Object.entries(transfers)) {
          const term = transferWithResultTerm(from.address, receiver.address, BigInt(at + 1), network.dialect);
          const id = await deployOf(network, validator, from, term);
          sent.push({ what: `transfer of a ${who}`, validator, id, takenMs: Date.now() });
        }
      }
      const places = new Map<string, MadeBlock>();
      await network.until("the honest transfers are in blocks", async () => {
        for (const { id, validator } of sent) {
          const block = places.get(id) ?? (await blockOf(network, validator, id));
          if (block !== undefined) places.set(id, block);
        }
        return places.size === sent.length;
      });
      let blocks: readonly MadeBlock[] = [];
      await network.until("validator1 has the blocks with them", async () => {
        blocks = await blocksOf(network, Math.max(...[...places.values()].map(({ blockNumber }) => blockNumber)));
        const known = new Set(blocks.map(({ blockHash }) => blockHash));
        return [...places.values()].every(({ blockHash }) => known.has(blockHash));
      });
      const waits = sent.map((one) => waitOf(one, places.get(one.id)!, blocks));
      for (const [at, { what, validator }] of sent.entries())
        print(`${what} at ${validator}: in a block after ${waits[at]!.seconds} s, ${waits[at]!.rounds} rounds`);
      const during = blocks.filter(({ timestamp }) => timestamp >= beganMs).map(({ timestamp }) => timestamp);
      const gaps = during.slice(1).map((timestamp, at) => timestamp - during[at]!);
      print(`${during.length} blocks, between them ${gaps.map((gap) => (gap / 1000).toFixed(1)).join(", ")} s`);
      expect(Math.max(...waits.map(({ rounds }) => rounds))).toBeLessThanOrEqual(2);

      for (const { id } of sent) await deployIsFinal(network, "observer", id);
      await expectAgreement(network);
    },
  );
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function hostileDeploys(network: NetworkProcesses, wallets: readonly TestWallet[]): Promise<Deploy[]> {
  using client = network.client("validator1");
  const validAfterBlockNumber = validAfterLatest((await client.latestBlock()).blockNumber);
  const terms = Object.values(hostileKinds(network.dialect)).flatMap(({ count, term }) =>
    Array.from({ length: count }, (_, at) => term(at)),
  );
  return terms.map((term, at) => {
    const { privateKey } = wallets[at % wallets.length]!;
    const timestamp = BigInt(Date.now() + at);
    return signedBy(deployKeyOf(fromHex(privateKey)), {
      term,
      timestamp,
      phloLimit: hostilePhlo,
      validAfterBlockNumber,
    });
  });
}

/** Returns a validator's answer to each. */
async function handIn(network: NetworkProcesses, name: string, deploys: readonly Deploy[]): Promise<string[]> {
  using client = network.client(name);
  const answers: string[] = [];
  for (let at = 0; at < deploys.length; at += handedInAtOnce) {
    const some = deploys.slice(at, at + handedInAtOnce);
    answers.push(...(await Promise.all(some.map((one) => client.deploy(one).catch(({ message }: Error) => message)))));
  }
  return answers;
}

async function deployOf(network: NetworkProcesses, name: string, from: TestWallet, term: string): Promise<string> {
  using client = network.client(name);
  const validAfterBlockNumber = validAfterLatest((await client.latestBlock()).blockNumber);
  const change = { term, phloLimit: 1_000_000n, validAfterBlockNumber };
  return await client.deploy(signedBy(deployKeyOf(fromHex(from.privateKey)), change));
}

async function blockOf(network: NetworkProcesses, name: string, id: string): Promise<MadeBlock | undefined> {
  try {
    const { blockHash } = (await network.get(name, `/api/deploy/${id}`)) as { blockHash: string };
    return ((await network.get(name, `/api/block/${blockHash}`)) as { blockInfo: MadeBlock }).blockInfo;
  } catch {
    return undefined;
  }
}

async function blocksOf(network: NetworkProcesses, height: number): Promise<readonly MadeBlock[]> {
  const blocks = (await network.blocks("validator1", 0, height)) as MadeBlock[];
  return blocks.sort((left, right) => left.timestamp - right.timestamp);
}

/** A round is a block of the validator that has the deploy. */
function waitOf({ takenMs }: Sent, place: MadeBlock, blocks: readonly MadeBlock[]) {
  const rounds = blocks.filter(
    ({ sender, timestamp }) => sender === place.sender && timestamp >= takenMs && timestamp <= place.timestamp,
  ).length;
  return { rounds, seconds: ((place.timestamp - takenMs) / 1000).toFixed(1) };
}
