// Covers: chain, execution, node
import { deployKeyOf, transferTerm, validAfterLatest } from "@vedette/client";
import { fromHex, sha256, toHex } from "@vedette/crypto";
import { fatalTerm } from "@vedette/executor/testing";
import type { Deploy } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { dialectNames, type ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceOf, deployIsFinal, signedBy, transferBy } from "./networkDeploys.js";

const poorKeys = 150;
const poorKey = (index: number) => toHex(sha256(new TextEncoder().encode(`unfunded key ${index}`)));

/** Returns a validator's answers by gRPC and by HTTP. */
async function answersTo(network: NetworkProcesses, name: string, deploy: Deploy): Promise<readonly string[]> {
  using client = network.client(name);
  const byGrpc = await client.deploy(deploy).catch((error: Error) => error.message);
  const { term, timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId, deployer, signature } = deploy;
  const numbers = { timestamp, phloPrice, phloLimit, validAfterBlockNumber };
  const texts = Object.fromEntries(Object.entries(numbers).map(([field, value]) => [field, String(value)]));
  const body = { data: { term, shardId, ...texts }, deployer: toHex(deployer), signature: toHex(signature) };
  const { http } = network.node(name).plan.ports;
  const response = await fetch(`http://127.0.0.1:${http}/api/deploy`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, sigAlgorithm: "secp256k1" }),
  });
  return [byGrpc, `${response.status} ${await response.text()}`];
}

interface FullBlock {
  readonly deploys: readonly {
    readonly sig: string;
    readonly deployer: string;
    readonly errored: boolean;
    readonly systemDeployError: string;
  }[];
}

describe("bad deploys", () => {
  test.each(dialectNames)("are refused or included without harm; other deploys become final: %s", async (dialect) => {
    await using network = await NetworkProcesses.start({ validators: 3, wallets: 3, rhythmMs: 2_000, dialect });
    const [from, to, other] = network.wallets;
    const rich = from!.privateKey;
    await network.finalizes(network.names, 1);
    using validator = network.client("validator1");
    const validAfterBlockNumber = validAfterLatest((await validator.latestBlock()).blockNumber);
    const signed = (privateKey: string, change: Partial<Deploy>) =>
      signedBy(deployKeyOf(fromHex(privateKey)), { validAfterBlockNumber, ...change });
    const good = signed(rich, { term: "@0!(1)" });
    const refused: readonly (readonly [Deploy, RegExp])[] = [
      [{ ...good, phloLimit: 7n }, /Invalid signature/],
      [signed(rich, { shardId: "other" }), /Deploy shardId 'other' is not as expected network shard 'root'\./],
      [signed(rich, { phloPrice: 0n }), /Phlo price 0 is less than minimum price 1\./],
      [signed(rich, { phloLimit: 2n ** 62n, phloPrice: 4n }), /is no amount of 64 bits\./],
      [signed(rich, { term: "new x in {" }), /Parsing error: Error in parsing term/],
      [signed(rich, { term: `"${"x".repeat(4_100_000)}"` }), /bytes are more than the 4000000 that this node takes/],
    ];
    for (const [deploy, text] of refused)
      for (const answer of await answersTo(network, "validator1", deploy)) expect(answer).toMatch(text);
    expect((await answersTo(network, "observer", good)).join()).toMatch(/read-only.*read-only/s);

    const never = [
      signed(rich, { validAfterBlockNumber: -(2n ** 63n) }),
      signed(rich, { validAfterBlockNumber: -60n }),
      signed(rich, { validAfterBlockNumber: 2n ** 63n - 1n }),
      // A fatal deploy can be in no block.
      ...Array.from({ length: 40 }, (_, index) => signed(other!.privateKey, { term: fatalTerm[dialect](index) })),
    ];
    const harmless = [
      good,
      signed(rich, { phloLimit: 0n }),
      signed(rich, { phloLimit: -1n }),
      signed(rich, { phloLimit: 1n }),
      signed(rich, { phloLimit: 2n ** 63n - 1n }),
      signed(rich, { term: "@1!(1 + true)" }),
      signed(rich, { term: "contract @0(x) = { @0!(*x) | @0!(*x) } | @0!(0)" }),
    ];
    // Each twice: by gRPC and by HTTP.
    for (const deploy of never)
      for (const answer of await answersTo(network, "validator1", deploy))
        expect(answer).toMatch(
          /^(200 ".*)?[0-9a-f]{60,}"?$|Deploy refused because (deploys of this key|it cannot be executed)/,
        );
    for (const deploy of harmless)
      for (const answer of await answersTo(network, "validator1", deploy))
        expect(answer).toMatch(/^(200 ".*)?[0-9a-f]{60,}"?$/);

    const term = transferTerm(from!.address, to!.address, 1n, network.dialect);
    const poor = Array.from({ length: poorKeys }, (_, index) => signed(poorKey(index), { term }));
    for (const deploy of poor) await validator.deploy(deploy);
    const last = await transferBy(network, "validator1", { from: from!, to: to!, amount: 7n });
    await deployIsFinal(network, "observer", last);
    expect(await balanceOf(network, to!)).toBe(to!.balance + 7n);
    for (const deploy of [...harmless, ...poor]) await deployIsFinal(network, "observer", toHex(deploy.signature));

    const lfb = (await network.get("observer", "/api/last-finalized-block")) as { blockInfo: ListedBlock };
    await network.finalizes(network.names, lfb.blockInfo.blockNumber);
    const { blocks: mainChain, finalized } = await expectAgreement(network);
    // Where there may be several parents, what is final is more than the main chain.
    const isMerging = dialect === "f1r3node";
    const blocks = isMerging ? await finalBlocks(network, finalized) : mainChain;
    const found = await deploysOf(network, blocks);
    const lost = poor.map(({ signature }) => toHex(signature)).filter((id) => !found.has(id));
    const places = await Promise.all(lost.map((id) => network.get("observer", `/api/deploy/${id}`)));
    expect(
      places,
      `deploys that were final, in the chain of ${blocks.map(({ blockHash }) => blockHash).join()}`,
    ).toEqual([]);
    for (const { signature } of never) expect(found.has(toHex(signature))).toBe(false);
    // One that a merge gave up comes again.
    const isOften = (times = 0) => (isMerging ? times >= 1 : times === 1);
    for (const { signature } of poor) {
      const { times, isRefused } = found.get(toHex(signature))!;
      expect([isOften(times), isRefused]).toEqual([true, true]);
    }
    const outcomes = harmless.map(({ signature }) => found.get(toHex(signature)));
    expect(outcomes.map((one) => isOften(one?.times))).toEqual(harmless.map(() => true));
    expect(outcomes.map((one) => one?.isRefused)).toEqual([false, true, true, false, true, false, false]);
    await refusesToPropose(network);
  });
});

async function refusesToPropose(network: NetworkProcesses): Promise<void> {
  for (const name of ["bootstrap", "observer"]) {
    using client = network.client(name);
    await expect(client.propose()).rejects.toThrow("Propose error: read-only node.");
  }
  using client = network.client("validator1");
  const answers = new Set<string>();
  for (let asked = 0; asked < 5; asked++) answers.add(await client.propose().catch(({ message }: Error) => message));
  for (const answer of answers)
    expect(answer).toMatch(
      /^Success! Block [0-9a-f]{64} created|Failure: (InternalDeployError|NoNewDeploys) \(seqNum \d+\)|another propose is in/,
    );
}

/** For a network with nodes that report for each block whether it is final. */
async function finalBlocks(network: NetworkProcesses, height: number): Promise<readonly ListedBlock[]> {
  const blocks = (await network.blocks("observer", 0, height)) as (ListedBlock & { readonly isFinalized: boolean })[];
  return blocks.filter(({ isFinalized }) => isFinalized);
}

/** How often each deploy is in a chain, and whether its charge failed. */
async function deploysOf(network: NetworkProcesses, chain: readonly ListedBlock[]) {
  const found = new Map<string, { times: number; isRefused: boolean }>();
  for (const { blockHash, deployCount } of chain) {
    if (deployCount === 0) continue;
    const { deploys } = (await network.get("observer", `/api/block/${blockHash}`)) as FullBlock;
    for (const { sig, systemDeployError } of deploys)
      found.set(sig, { times: (found.get(sig)?.times ?? 0) + 1, isRefused: systemDeployError !== "" });
  }
  return found;
}
