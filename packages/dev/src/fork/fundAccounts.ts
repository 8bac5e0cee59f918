import { HttpClient, transferTerm } from "@vedette/client";
import { fromHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { DevChain } from "../DevChain.js";
import { DevDeploys } from "../DevDeploys.js";
import type { ForkPoint } from "./Origin.js";

/** Blocks in which somebody is looked for who has coins. */
const blocksLookedAt = 20;
const timeoutMs = 5_000;

/**
 * Gives the accounts of a fork coins, out of the vault of somebody who has some: a deploy in that key's name.
 *
 * @param fundFrom whose, as a public key in hex; `undefined`: who has most of those that have deployed of late
 * @returns what every account has got, or why it has got nothing
 */
export async function fundAccounts(
  chain: DevChain,
  point: ForkPoint,
  fundFrom: string | undefined,
): Promise<bigint | string> {
  const { accounts, settings } = chain.plan;
  const client = new HttpClient({ url: point.url, timeoutMs, retries: 0 });
  try {
    const rich = await richest(client, point, fundFrom);
    if (rich === undefined) return "nobody who has deployed of late has coins; name somebody with --fund-from";
    const receivers = [...accounts.users, accounts.faucet, accounts.miner];
    const share = rich.balance / BigInt(2 * receivers.length);
    const amount = share < settings.balance ? share : settings.balance;
    if (amount === 0n) return `${rich.address} has no coins`;
    const term = receivers.map(({ address }) => transferTerm(rich.address, address, amount)).join("\n|\n");
    const { failed, systemDeployError } = (await new DevDeploys(chain).sendAs({ term }, rich.publicKey)).processed;
    if (failed || systemDeployError !== "") return systemDeployError || "the transfers failed";
    return amount;
  } catch (error) {
    return errorText(error);
  }
}

interface Rich {
  readonly publicKey: Uint8Array;
  readonly address: string;
  readonly balance: bigint;
}

async function richest(client: HttpClient, point: ForkPoint, fundFrom: string | undefined): Promise<Rich | undefined> {
  const keys = fundFrom === undefined ? await lateDeployers(client, point) : [fundFrom.trim().replace(/^0x/i, "")];
  const known = keys.flatMap((text) => {
    const publicKey = /^04[0-9a-f]{128}$/i.test(text) ? fromHex(text) : undefined;
    const address = publicKey === undefined ? undefined : vaultAddressOfPublicKey(publicKey);
    return publicKey === undefined || address === undefined ? [] : [{ publicKey, address }];
  });
  if (known.length === 0) return undefined;
  const balances = await client.balances(
    known.map(({ address }) => address),
    point.blockHash,
  );
  const all = known.map((one, index) => ({ ...one, balance: balances[index] ?? 0n }));
  return all.reduce((most, one) => (one.balance > most.balance ? one : most));
}

async function lateDeployers(client: HttpClient, { blockNumber }: ForkPoint): Promise<readonly string[]> {
  const first = blockNumber > BigInt(blocksLookedAt) ? Number(blockNumber) - blocksLookedAt : 0;
  const blocks = await client.blockSpan(first, Number(blockNumber));
  const found = new Set<string>();
  for (const { blockHash, deployCount } of blocks) {
    if (Number(deployCount) === 0) continue;
    const { deploys } = await client.block(blockHash);
    for (const { deployer } of deploys) found.add(deployer);
  }
  return [...found];
}
