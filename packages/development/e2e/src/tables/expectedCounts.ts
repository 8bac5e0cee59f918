import type { HttpClient } from "@vedette/client";
import { checkVaultAddress, vaultAddressOfPublicKey } from "@vedette/client";
import { proofOfStakeAddress } from "@vedette/execution";
import { type ApiBlockRow, type ApiChain, bytesOf } from "./ApiChain.js";
import { type ExpectedRow, type ExpectedTables, placeOf, timeOf } from "./expectedBlocks.js";
import { tokensOf } from "./expectedDeploys.js";

/** Balances after each block: each is queried on the state of its block. */
export async function expectedBalances({ blocks }: ApiChain, client: HttpClient): Promise<ExpectedTables> {
  const states: ExpectedRow[] = [];
  const newest = new Map<string, ExpectedRow>();
  for (const block of blocks) {
    const { info } = block;
    const addresses = vaultsOf(block);
    const dust = addresses.length === 0 ? [] : await client.balances(addresses, info.blockHash);
    const stakes = new Map(
      info.bonds.map(({ validator, stake }) => [vaultAddressOfPublicKey(bytesOf(validator)), BigInt(stake)]),
    );
    for (const [at, address] of addresses.entries()) {
      const [free, bonded, updated_at] = [dust[at]!, stakes.get(address) ?? 0n, timeOf(info.timestamp)];
      states.push({
        ...placeOf(info),
        address,
        ...{ unbonded_balance_dust: free, unbonded_balance_asi: tokensOf(free) },
        ...{ bonded_balance_dust: bonded, bonded_balance_asi: tokensOf(bonded) },
        ...{ total_balance_dust: free + bonded, total_balance_asi: tokensOf(free + bonded), updated_at },
      });
      if (block.fate !== "forkedAway")
        newest.set(address, {
          ...placeOf(info),
          ...{ address, balance_dust: free, balance_asi: tokensOf(free), updated_at },
        });
    }
  }
  return { balance_states: states, balances: [...newest.values()] };
}

function vaultsOf({ deploys, transfers, info }: ApiBlockRow): string[] {
  const found = new Set(deploys.flatMap(({ deployer }) => vaultAddressOfPublicKey(bytesOf(deployer)) ?? []));
  for (const { from, to } of transfers)
    for (const address of [from, to]) if (checkVaultAddress(address) === undefined) found.add(address);
  if (info.parentsHashList.length === 0)
    for (const word of [
      ...deploys.flatMap(({ term }) => term.match(/1111\w+/g) ?? []),
      ...info.bonds.map(({ validator }) => vaultAddressOfPublicKey(bytesOf(validator)) ?? ""),
    ])
      if (checkVaultAddress(word) === undefined) found.add(word);
  found.delete(proofOfStakeAddress);
  return [...found];
}

/** Returns the counts over time, and those at multiples of heights. */
export function expectedCounts(chain: ApiChain): ExpectedTables {
  const living = chain.blocks.filter(({ fate }) => fate !== "forkedAway");
  return {
    statistics_by_hour: statistics(living, 3600),
    statistics_by_day: statistics(living, 86_400),
    network_metrics_buckets: buckets(living),
    network_stats_view: [firstHundred(chain.blocks)],
    epoch_transitions: epochs(chain),
    network_stats: participation(chain),
    ...{ network_metrics_view: [], block_ancestors_view: [], block_descendants_view: [] },
  };
}

const secondsOf = ({ info }: ApiBlockRow) => Math.floor(Number(info.timestamp) / 1000);
const movedBy = ({ transfers }: ApiBlockRow) => transfers.filter(({ deployId }) => deployId !== null).length;

function grouped(blocks: readonly ApiBlockRow[], seconds: number): [number, ApiBlockRow[]][] {
  const groups = new Map<number, ApiBlockRow[]>();
  for (const block of blocks) {
    const start = secondsOf(block) - (secondsOf(block) % seconds);
    groups.set(start, [...(groups.get(start) ?? []), block]);
  }
  return [...groups].sort(([left], [right]) => left - right);
}

function sumOf(blocks: readonly ApiBlockRow[], count: (block: ApiBlockRow) => number | bigint): bigint {
  return blocks.reduce((sum, block) => sum + BigInt(count(block)), 0n);
}

function statistics(blocks: readonly ApiBlockRow[], seconds: number): ExpectedRow[] {
  return grouped(blocks, seconds).map(([start, some]) => ({
    bucket_start: timeOf(start * 1000),
    blocks: some.length,
    deployments: sumOf(some, ({ deploys }) => deploys.length),
    errored: sumOf(some, ({ deploys }) => deploys.filter(({ errored }) => errored).length),
    transfers: sumOf(some, movedBy),
    phlo_cost: sumOf(some, ({ deploys }) => deploys.reduce((sum, { cost }) => sum + BigInt(cost), 0n)),
    fees_dust: sumOf(some, ({ deploys }) =>
      deploys.reduce((sum, { cost, phloPrice }) => sum + BigInt(cost) * BigInt(phloPrice), 0n),
    ),
    avg_block_time_seconds: seconds / some.length,
    ...{ lagged_blocks: undefined, avg_finality_lag_seconds: undefined, avg_finality_lag_blocks: undefined },
  }));
}

function buckets(blocks: readonly ApiBlockRow[]): ExpectedRow[] {
  let before: number | undefined;
  return grouped(blocks, 600).map(([start, some]) => {
    const times = some.map(({ info }) => Number(info.timestamp)).sort((left, right) => left - right);
    const between = times.flatMap((time, at) => {
      const earlier = at === 0 ? before : times[at - 1];
      return earlier === undefined ? [] : [time - earlier];
    });
    const average = between.length === 0 ? null : between.reduce((sum, ms) => sum + ms, 0) / 1000 / between.length;
    before = times.at(-1);
    return {
      bucket_start: timeOf(start * 1000),
      bucket_end: timeOf((start + 600) * 1000),
      avg_block_time_sec: average,
      deployments_count: sumOf(some, ({ deploys }) => deploys.length),
      transfers_count: sumOf(some, movedBy),
    };
  });
}

function firstHundred(blocks: readonly ApiBlockRow[]): ExpectedRow {
  // At the height at which the hundred are full, the order of arrival decides which of its blocks are among them.
  const times = blocks
    .filter(({ info }) => Number(info.blockNumber) > 0)
    .slice(0, 100)
    .map(({ info }) => Number(info.timestamp));
  const [earliest, latest] = [Math.min(...times), Math.max(...times)];
  return {
    total_blocks: times.length,
    avg_block_time_seconds: times.length > 1 ? (latest - earliest) / 1000 / (times.length - 1) : null,
    ...{ earliest_block_time: earliest, latest_block_time: latest },
  };
}

function finalizedEvery(chain: ApiChain, heights: number): ApiBlockRow[] {
  return chain.blocks.filter(({ fate, info }) => fate === "finalized" && Number(info.blockNumber) % heights === 0);
}

/** If a height has several final blocks the first one counts. */
function firstOfHeights(blocks: readonly ApiBlockRow[]): ApiBlockRow[] {
  const first = new Map<number, ApiBlockRow>();
  for (const block of blocks) {
    const height = Number(block.info.blockNumber);
    if (!first.has(height)) first.set(height, block);
  }
  return [...first.values()];
}

function epochs(chain: ApiChain): ExpectedRow[] {
  const length = Number(chain.epochLength);
  return firstOfHeights(finalizedEvery(chain, length)).map(({ info }) => ({
    epoch_number: Number(info.blockNumber) / length,
    start_block: info.blockNumber,
    end_block: Number(info.blockNumber) + length - 1,
    active_validators: info.bonds.length,
    quarantine_length: chain.quarantineLength,
    timestamp: timeOf(info.timestamp),
  }));
}

function participation(chain: ApiChain): ExpectedRow[] {
  return firstOfHeights(finalizedEvery(chain, 50)).map(({ info }) => {
    const top = Number(info.blockNumber);
    const recent = chain.blocks.filter(
      (one) =>
        one.fate !== "forkedAway" && Number(one.info.blockNumber) > top - 100 && Number(one.info.blockNumber) <= top,
    );
    const proposers = new Set(recent.map((one) => one.info.sender));
    const active = info.bonds.filter(({ validator }) => proposers.has(validator));
    const stakeOf = (some: typeof info.bonds) => some.reduce((sum, { stake }) => sum + BigInt(stake), 0n);
    const share = Number((stakeOf(active) * 10_000n) / stakeOf(info.bonds)) / 100;
    return {
      block_number: info.blockNumber,
      total_validators: info.bonds.length,
      active_validators: active.length,
      validators_in_quarantine: info.bonds.length - active.length,
      consensus_participation: share,
      consensus_status: share > 66.67 ? "healthy" : share > 33.33 ? "degraded" : "critical",
      timestamp: timeOf(info.timestamp),
    };
  });
}
