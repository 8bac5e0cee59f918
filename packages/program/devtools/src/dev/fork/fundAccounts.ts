import { HttpClient, systemNames } from "@vedette/client";
import type { DialectName } from "@vedette/config";
import { fromHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { DevChain } from "../DevChain.js";
import { DevDeploys } from "../DevDeploys.js";
import type { ForkPoint } from "./ForkPoint.js";

/** Blocks in which somebody is looked for who has coins. */
const blocksLookedAt = 20;
const timeoutMs = 5_000;

/** Whose vault the accounts of a fork get coins from, and how many it has. */
export interface Funds {
  readonly publicKey: Uint8Array;
  readonly address: string;
  readonly balance: bigint;
}

/**
 * Looks for somebody who has coins where a fork begins.
 *
 * @param url of the node that is forked from
 * @param fundFrom whose, as a public key in hex; `undefined`: who has most of those that have deployed of late
 * @returns who, or why there is nobody
 */
export async function findFunds(url: string, point: ForkPoint, fundFrom: string | undefined): Promise<Funds | string> {
  const client = new HttpClient({ url, timeoutMs, retries: 0 });
  try {
    const rich = await richest(client, point, fundFrom);
    return rich ?? "nobody who has deployed of late has coins; name somebody with --fund-from";
  } catch (error) {
    return errorText(error);
  }
}

/**
 * Gives the accounts of a fork coins: a deploy in the name of who has some.
 *
 * @returns what every account has got, or why it has got nothing
 */
export async function fundAccounts(chain: DevChain, funds: Funds): Promise<bigint | string> {
  const { accounts, settings } = chain.plan;
  const receivers = [...accounts.users, accounts.faucet, accounts.miner];
  const share = funds.balance / BigInt(2 * receivers.length);
  const amount = share < settings.balance ? share : settings.balance;
  if (amount === 0n) return `${funds.address} has no coins`;
  const addresses = receivers.map(({ address }) => address);
  const term = fundingTerm(funds.address, addresses, amount, settings.dialect);
  try {
    const { failed, systemDeployError } = (await new DevDeploys(chain).sendAs({ term }, funds.publicKey)).processed;
    return failed || systemDeployError !== "" ? systemDeployError || "the transfers failed" : amount;
  } catch (error) {
    return errorText(error);
  }
}

/** Transfers that share one vault and one key: whatever comes first on a chain is slow. */
function fundingTerm(from: string, receivers: readonly string[], amount: bigint, dialect: DialectName): string {
  const { vaults } = systemNames[dialect];
  const transfers = receivers.map(
    (to) => `new toVaultCh, resultCh in {
        @ASIVault!("findOrCreate", "${to}", *toVaultCh) |
        for (@(true, _) <- toVaultCh) { @vault!("transfer", "${to}", ${amount}, *key, *resultCh) }
      }`,
  );
  return `new deployerId(\`rho:rchain:deployerId\`), lookup(\`rho:registry:lookup\`), ASIVaultCh, vaultCh, keyCh in {
  lookup!(\`${vaults}\`, *ASIVaultCh) |
  for (@(_, ASIVault) <- ASIVaultCh) {
    @ASIVault!("findOrCreate", "${from}", *vaultCh) |
    @ASIVault!("deployerAuthKey", *deployerId, *keyCh) |
    for (@(true, vault) <- vaultCh; key <- keyCh) {
      ${transfers.join(" |\n      ")}
    }
  }
}`;
}

async function richest(client: HttpClient, point: ForkPoint, fundFrom: string | undefined): Promise<Funds | undefined> {
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
  const withDeploys = blocks.filter(({ deployCount }) => Number(deployCount) > 0);
  const told = await Promise.all(withDeploys.map(({ blockHash }) => client.block(blockHash)));
  return [...new Set(told.flatMap(({ deploys }) => deploys.map(({ deployer }) => deployer)))];
}
