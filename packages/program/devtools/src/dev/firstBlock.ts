import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Chain, genesisBlock } from "@vedette/chain";
import type { Config } from "@vedette/config";
import type { Log } from "@vedette/config/log";
import { emptyBytes, fromHex, toHex } from "@vedette/crypto";
import { withBlockBytes } from "@vedette/executor";
import type { ExecutorClient } from "@vedette/executor/threads";
import { startExecutorThread } from "@vedette/executor/threads";
import { chainRulesOf, dialectOf, genesisPortOf } from "@vedette/node";
import { makeFolders } from "@vedette/node/machine";
import type { NodeResources } from "@vedette/node/run";
import { type Bond, findDialect } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { DevError } from "./DevError.js";
import type { DevAccounts } from "./devAccounts.js";
import { genesisPaths } from "./devConfig.js";
import type { ForkPoint } from "./fork/ForkPoint.js";

/** The inputs of a genesis. */
export interface GenesisPlan {
  readonly config: Config;
  readonly accounts: DevAccounts;
  readonly balance: bigint;
  readonly seed: string;
}

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

/**
 * Puts the first block of a fork into a folder that has none: it has the number, the time and the state of the block that is
 * forked from, and nothing of what led there.
 */
export async function prepareFork(ground: NodeResources, point: ForkPoint, bonds: readonly Bond[]): Promise<void> {
  const { config, directory, executor, emptyStateHash } = ground;
  const stateHash = fromHex(point.stateHash);
  const place = { config, executor, emptyStateHash, chainDirectory: directory.chain };
  await withEmptyChain(place, async (chain) => {
    await executor.recordRoot(stateHash);
    const state = { preStateHash: stateHash, postStateHash: stateHash, bonds, blockNumber: point.blockNumber };
    const body = { state, deploys: [], systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] };
    const { timestamp, shardName } = point;
    const content = { timestamp, shardName, bonds, deploys: [], judgesByEvidence: false };
    const block = genesisBlock(body, content, findDialect(config.dialect)!);
    chain.adoptImported({ candidate: { block, requiredSignatures: 0 }, signatures: [] }, []);
  });
}

/** Where a chain is to begin. */
interface EmptyChainLocation {
  readonly config: Config;
  readonly executor: ExecutorClient;
  readonly emptyStateHash: Uint8Array;
  /** The directory of its blocks; it exists, and is empty. */
  readonly chainDirectory: string;
}

/** Opens a chain that has not begun, has its first block put there, and closes it. */
async function withEmptyChain(place: EmptyChainLocation, use: (chain: Chain) => Promise<void>): Promise<void> {
  const { config, executor, emptyStateHash, chainDirectory } = place;
  await using store = new LmdbStore(chainDirectory, { tables: tablesOf("chain") });
  const dialect = dialectOf(config);
  const blocks = new BlockTable(store, { form: dialect.protocol.blockForm });
  const { execution, chain } = dialect.consensus({
    ...{ config, store, executor: withBlockBytes(executor, blocks), listener: {} },
    provideState: async () => undefined,
  });
  const rules = chainRulesOf(config, emptyStateHash);
  await use(new Chain({ store, rules, execution, nowMs: Date.now, ...chain }));
}
