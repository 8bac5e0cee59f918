import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@vedette/config/log";
import { fromHex } from "@vedette/crypto";
import { withoutPasswords } from "@vedette/errors";
import { loadForms } from "@vedette/executor";
import { makeFolders, markDialect } from "@vedette/node/machine";
import type { NodeResources } from "@vedette/node/run";
import type { Bond } from "@vedette/protocol";
import type { DevFolder } from "./DevFolder.js";
import type { DevSettings, ForkSettings } from "./DevSettings.js";
import type { ForkPoint } from "./fork/ForkPoint.js";
import { decodeForkPoint, encodeForkPoint } from "./fork/forkPointFile.js";
import type { Funds } from "./fork/fundAccounts.js";
import { cachePath } from "./genesisCache.js";
import { type DevPlan, planDev } from "./planDev.js";
import { genesisKey, prepareGenesis } from "./prepareGenesis.js";

/** Stake of the one validator of a fork. */
const stake = 1_000n;

/** The bonds on a fork: its one validator, whatever the contract in the state has. */
function forkBonds(validator: Uint8Array): readonly Bond[] {
  return [{ validator, stake }];
}

/** A chain that can be run; what is open for it is closed with it. */
export interface OpenChain extends AsyncDisposable {
  readonly plan: DevPlan;
  /** Puts the first block there, where there is none yet. To be called before anything else is done on the ground. */
  readonly begin: (ground: NodeResources) => Promise<void>;
  /** On a new fork: the vault that funds its accounts, or the reason why there is none. */
  readonly funds: Promise<Funds | string> | undefined;
}

const forkFile = "fork.json";
const originFolder = "origin";

/** Goes on with the chain of a folder, or begins one: from a genesis of its own, or from another node's state. */
export async function openChain(settings: DevSettings, folder: DevFolder, log: Log): Promise<OpenChain> {
  if (settings.fork !== undefined) return openFork(settings, settings.fork, folder);
  const plan = await planDev(settings, folder.path);
  const parts = { ...plan, ...settings };
  const made = genesisKey(parts);
  if (folder.hasChain) folder.requireMadeWith(made);
  else {
    markDialect(folder.path, settings.dialect);
    await prepareGenesis(parts, folder, cachePath(), log);
    folder.noteMadeWith(made);
  }
  return { plan, begin: nothing, funds: undefined, [Symbol.asyncDispose]: nothing };
}

async function openFork(settings: DevSettings, fork: ForkSettings, folder: DevFolder): Promise<OpenChain> {
  const isContinued = folder.hasChain;
  const [{ forkPointOf, forkUrl, requireDialect }, { ForkSource }, { space }] = await Promise.all([
    import("./fork/ForkPoint.js"),
    import("./fork/ForkSource.js"),
    loadForms(settings.dialect),
  ]);
  const point = storedPoint(folder) ?? (await forkPointOf(fork.url, fork.at));
  requireDialect(point, settings.dialect);
  const made = `fork of ${point.url}`;
  if (isContinued) folder.requireMadeWith(made);
  const plan = await planDev(settings, folder.path, point);
  const bonds = forkBonds(plan.accounts.validator.publicKey);
  const keptPath = join(folder.path, originFolder);
  makeFolders(keptPath);
  const given = forkUrl(fork.url);
  // The login is stored nowhere: a chain that goes on takes it from the command line again.
  const url = withoutPasswords(given) === point.url ? given : point.url;
  const origin = new ForkSource(url, keptPath, space);
  const forked: DevPlan = { ...plan, pieces: origin, bonds };
  const close = () => origin[Symbol.asyncDispose]();
  if (isContinued) return { plan: forked, begin: nothing, funds: undefined, [Symbol.asyncDispose]: close };
  markDialect(folder.path, settings.dialect);
  // While the threads load what they need.
  const ahead = origin.fetchAhead(fromHex(point.stateHash));
  ahead.catch(() => undefined);
  const funds = import("./fork/fundAccounts.js").then(({ findFunds }) => findFunds(url, point, fork.fundFrom));
  const begin = async (ground: NodeResources) => {
    await ahead;
    const { prepareFork } = await import("./firstBlock.js");
    await prepareFork(ground, point, bonds);
    storePoint(folder, point);
    folder.noteMadeWith(made);
  };
  const end = async () => {
    await ahead.catch(() => undefined);
    await close();
  };
  return { plan: forked, begin, funds, [Symbol.asyncDispose]: end };
}

async function nothing(): Promise<void> {}

/** A chain that is there goes on from where it began, however far the other has come. */
function storedPoint(folder: DevFolder): ForkPoint | undefined {
  const path = join(folder.path, forkFile);
  if (!folder.hasChain || !existsSync(path)) return undefined;
  return decodeForkPoint(readFileSync(path, "utf8"));
}

function storePoint(folder: DevFolder, point: ForkPoint): void {
  writeFileSync(join(folder.path, forkFile), encodeForkPoint(point));
}
