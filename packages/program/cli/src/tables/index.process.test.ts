import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DevProcess } from "../testing/DevProcess.js";

const home = mkdtempSync(join(tmpdir(), "vedette-index-test-"));
const environment = { XDG_CACHE_HOME: home, VEDETTE_CONTEXTS: join(home, "contexts.json") };
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Rows = readonly (readonly (string | number | null)[])[];

async function rowsOf(chain: DevProcess, query: string): Promise<Rows> {
  const url = `http://127.0.0.1:${chain.ready.ports.adminHttp}/v2/sql`;
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    // All are small here.
    body: JSON.stringify({ query, rows: 10_000, integers: "number" }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { rows: Rows }).rows;
}

interface ApiBlock {
  readonly blockInfo: {
    readonly blockHash: string;
    readonly blockNumber: number;
    readonly parentsHashList: readonly string[];
    readonly sender: string;
    readonly timestamp: number;
    readonly postStateHash: string;
    readonly deployCount: number;
    readonly bonds: readonly { readonly validator: string; readonly stake: number }[];
  };
  readonly deploys: readonly {
    readonly sig: string;
    readonly cost: number;
    readonly errored: boolean;
    readonly term: string;
  }[];
}

/** The chain as the HTTP API returns it, in the order of heights. */
async function chainOf(chain: DevProcess): Promise<ApiBlock[]> {
  const top = (await chain.get("/last-finalized-block")) as unknown as ApiBlock;
  const found: ApiBlock[] = [];
  for (let hash: string | undefined = top.blockInfo.blockHash; hash !== undefined; ) {
    const block = (await chain.get(`/block/${hash}`)) as unknown as ApiBlock;
    found.unshift(block);
    hash = block.blockInfo.parentsHashList[0];
  }
  return found;
}

async function compare(chain: DevProcess): Promise<void> {
  const chainBlocks = await chainOf(chain);
  const top = chainBlocks.at(-1)!.blockInfo.blockNumber;
  await expect
    .poll(() => rowsOf(chain, "select max(block_number) from blocks where fate = 'finalized'"))
    .toEqual([[top]]);
  const blocks = await rowsOf(
    chain,
    "select block_hash, block_number, parent_hash, proposer, timestamp, state_hash, deployment_count from blocks order by block_number",
  );
  expect(blocks).toEqual(
    chainBlocks.map(({ blockInfo: one }) => [
      ...[one.blockHash, one.blockNumber, one.parentsHashList[0] ?? "", one.sender, one.timestamp],
      ...[one.postStateHash, one.deployCount],
    ]),
  );
  const deploys = chainBlocks.flatMap(({ blockInfo, deploys: some }) =>
    some.map(({ sig, cost, errored, term }) => [sig, blockInfo.blockHash, cost, errored ? 1 : 0, term]),
  );
  const columns = "deploy_id, block_hash, phlo_cost, errored, term";
  const order = (rows: Rows) => [...rows].sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
  expect(order(await rowsOf(chain, `select ${columns} from deployments`))).toEqual(order(deploys));
  const bonds = chainBlocks.flatMap(({ blockInfo }) =>
    blockInfo.bonds.map(({ validator, stake }) => [blockInfo.blockNumber, validator, stake]),
  );
  const asked = "select block_number, validator_public_key, stake from validator_bonds order by 1, 2";
  expect(await rowsOf(chain, asked)).toEqual(bonds.sort(([left], [right]) => Number(left) - Number(right)));
  const balances = await rowsOf(chain, "select address, balance_dust from balances order by address");
  const url = `http://127.0.0.1:${chain.ready.ports.http}/v2/balances`;
  const body = JSON.stringify({ addresses: balances.map(([address]) => address) });
  const now = (await (await fetch(url, { method: "POST", body })).json()) as { balances: { balance: string }[] };
  expect(balances.map(([, dust]) => dust)).toEqual(now.balances.map(({ balance }) => Number(balance)));
  const [, account] = chain.ready.accounts;
  const [[sum]] = (await rowsOf(
    chain,
    `select coalesce(sum(amount_dust), 0) from transfers where to_address = '${account!.address}'`,
  )) as [[number]];
  // The node's own list of transfers may be behind the tables.
  const reportedSum = async () => {
    const { transfers } = (await chain.get(`/v2/transfers?address=${account!.address}&limit=200`)) as unknown as {
      transfers: { amount: string }[];
    };
    return transfers.reduce((whole, { amount }) => whole + Number(amount), 0);
  };
  await expect.poll(reportedSum).toBe(sum);
}

test("the tables match the blocks, after kills at any moment too", async () => {
  const args = ["--data-dir", join(home, "chain"), "--seed", "a test"];
  for (let round = 0; round < 4; round += 1) {
    await using chain = await DevProcess.start(args, environment);
    const { address, publicKey } = chain.ready.accounts[1]!;
    await chain.ask("/dev/faucet", { address, amount: 5 + round });
    await chain.ask("/dev/deploy", { deployer: publicKey, term: `@"hello"!(${round}) | @1!("x".nth(${round}))` });
    if (round === 3) await compare(chain);
    else {
      // The index is somewhere in the midst of it.
      await chain.ask("/dev/mine", { blocks: 20 + round });
      process.kill(chain.pid, "SIGKILL");
    }
  }
});
