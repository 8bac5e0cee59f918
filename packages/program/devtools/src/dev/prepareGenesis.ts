import { cpSync } from "node:fs";
import { join } from "node:path";
import { versionText } from "@vedette/config";
import type { Log } from "@vedette/config/log";
import { blake2b256, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { tablesOf } from "@vedette/store";
import { DevError } from "./DevError.js";
import type { DevFolder } from "./DevFolder.js";
import { devDialects } from "./devDialects.js";
import type { GenesisPlan } from "./firstBlock.js";
import { copyPrepared, forgetPrepared, keepPrepared } from "./genesisCache.js";

const folders = ["state", "chain"] as const;

/** Names that stored keys were made with, by the present names: a change would refuse existing chains. */
const keyNames: ReadonlyMap<string, string> = new Map([
  ["rnode", "rnode-scala"],
  ["f1r3node", "rnode-rust"],
  ["casper.genesis-block-data.equivocation-evidence", "casper.genesis-block-data.judge-by-evidence"],
]);

/** Names everything that a prepared genesis depends on. */
export function genesisKey({ config, accounts, balance, seed }: GenesisPlan): string {
  const settings = Object.entries(config)
    .filter(([key]) => key.startsWith("casper.genesis-block-data.") && !key.endsWith("-file") && !key.endsWith("-dir"))
    .map(([key, value]) => [keyNames.get(key) ?? key, value]);
  const contracts = devDialects[config.dialect].contracts();
  const users = [...accounts.users, accounts.faucet, accounts.validator, accounts.miner].map(({ address }) => address);
  const all = [
    versionText,
    keyNames.get(config.dialect),
    settings,
    contracts,
    users,
    balance,
    seed,
    tablesOf("chain"),
    tablesOf("state"),
  ];
  const text = JSON.stringify(all, (_key, value) => (typeof value === "bigint" ? `${value}n` : value));
  return toHex(blake2b256(new TextEncoder().encode(text))).slice(0, 32);
}

/**
 * Puts a chain that has its genesis into an empty folder: a prepared one, or one that is made now and kept for the next
 * time.
 *
 * @returns whether it was prepared
 * @throws {DevError} `notUsable`; what keeps a genesis from being made
 */
export async function prepareGenesis(plan: GenesisPlan, folder: DevFolder, cache: string, log: Log): Promise<boolean> {
  const key = genesisKey(plan);
  try {
    if (copyPrepared(cache, key, folder.path)) return true;
  } catch (cause) {
    forgetPrepared(cache, key);
    throw new DevError({ code: "notUsable", path: folder.path, reason: errorText(cause) }, { cause });
  }
  const { makeGenesis } = await import("./firstBlock.js");
  await makeGenesis(plan, folder.path, log);
  try {
    keepPrepared(cache, key, (draft) => {
      for (const name of folders) cpSync(join(folder.path, name), join(draft, name), { recursive: true });
    });
  } catch {
    // A full disk, or one that nothing may be written to: the next start takes longer, that is all.
  }
  return false;
}
