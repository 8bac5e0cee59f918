import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { startExecutorThread } from "@vedette/executor/threads";
import { dialectOf, genesisPortOf } from "@vedette/node";
import { makeFolders } from "@vedette/node/machine";
import { DevError } from "./DevError.js";
import { genesisPaths } from "./devConfig.js";
import type { GenesisPlan } from "./GenesisPlan.js";
import { withEmptyChain } from "./withEmptyChain.js";

/** Stake of the one validator. */
const stake = 1_000n;

/** Executes a genesis in an empty folder. @throws {DevError} `ended`; what keeps a genesis from being made */
export async function makeGenesis(plan: GenesisPlan, path: string, log: Log): Promise<void> {
  const { config, accounts, balance } = plan;
  const [stateDirectory, chainDirectory] = [join(path, "state"), join(path, "chain")];
  makeFolders(stateDirectory);
  makeFolders(chainDirectory);
  await using executor = startExecutorThread({ stateDirectory, dialect: config.dialect });
  const emptyStateHash = await executor.makeEmptyState();
  await withEmptyChain({ config, executor, emptyStateHash, chainDirectory }, async (chain) => {
    const { bonds, wallets } = genesisPaths(path);
    writeFileSync(bonds, `${toHex(accounts.validator.publicKey)} ${stake}\n`);
    const vaults = [...accounts.users, accounts.faucet, accounts.miner].map(({ address }) => `${address},${balance}\n`);
    writeFileSync(wallets, vaults.join(""));
    const identity = undefined;
    const dialect = dialectOf(config);
    const port = genesisPortOf({ config, dialect, executor, emptyStateHash, identity, log, nowMs: Date.now });
    const block = await port.make();
    const wrong = await chain.adoptGenesis({ candidate: { block, requiredSignatures: 0 }, signatures: [] });
    if (wrong !== undefined) throw new DevError({ code: "ended", reason: `the genesis is not valid: ${wrong.status}` });
  });
}
