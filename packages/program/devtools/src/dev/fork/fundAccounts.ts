import { HttpClient, systemNames } from "@vedette/client";
import type { DialectName } from "@vedette/config";
import { fromHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { DevChain } from "../DevChain.js";
import { DevDeploys } from "../DevDeploys.js";
import type { ForkPoint } from "./ForkPoint.js";

/** Number of blocks that are searched for a deployer with coins. */
const blocksLookedAt = 20;
const timeoutMs = 5_000;

/** The vault that funds the accounts of a fork, and its balance. */
export interface Funds {
  readonly publicKey: Uint8Array;
  readonly address: string;
  readonly balance: bigint;
}

/**
 * Finds a vault with coins where a fork begins.
 *
 * @param url of the node that is forked from
 * @param fundFrom public key of the vault in hex; `undefined` for the richest of the recent deployers
 * @returns the vault, or why there is none
 */
export async function findFunds(url: string, point: ForkPoint, fundFrom: string | undefined): Promise<Funds | string> {
  const client = new HttpClient({ url, timeoutMs, retries: 0 });
  try {
    const rich = await richest(client, point, fundFrom);
    return rich ?? "no recent deployer has coins; give the key of one with --fund-from";
  } catch (error) {
    return errorText(error);
  }
}

/**
 * Funds the accounts of a fork with a deploy in the name of a vault's owner.
 *
 * @returns the amount that every account received, or why it received nothing
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
  const answers = await Promise.all(withDeploys.map(({ blockHash }) => client.block(blockHash)));
  return [...new Set(answers.flatMap(({ deploys }) => deploys.map(({ deployer }) => deployer)))];
}
