import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@vedette/log";
import { makeFolders } from "@vedette/node";
import { LmdbStore } from "@vedette/store";
import type { DevFolder } from "./DevFolder.js";
import type { DevSettings, ForkSettings } from "./DevSettings.js";
import { type ForkPoint, forkPointOf, Origin } from "./fork/Origin.js";
import { forkBonds, forkExecution, prepareFork } from "./fork/prepareFork.js";
import { cachePath } from "./genesisCache.js";
import { type DevPlan, planDev } from "./planDev.js";
import { genesisKey, prepareGenesis } from "./prepareGenesis.js";

/** A chain whose first block is there; what is open for it is closed with it. */
export interface OpenChain extends AsyncDisposable {
  readonly plan: DevPlan;
  /** Whether it was there before. */
  readonly isContinued: boolean;
}

const forkFile = "fork.json";
const originFolder = "origin";

/** Goes on with the chain of a folder, or begins one: from a genesis of its own, or from another node's state. */
export async function openChain(settings: DevSettings, folder: DevFolder, log: Log): Promise<OpenChain> {
  const isContinued = folder.hasChain;
  const { fork } = settings;
  const opened = fork === undefined ? undefined : await openOrigin(fork, folder);
  try {
    const point = opened?.point;
    const plan = await planDev(settings, folder.path, point);
    const made = point === undefined ? genesisKey({ ...plan, ...settings }) : `fork of ${point.url}`;
    const bonds = forkBonds(plan.accounts.validator.publicKey);
    if (isContinued) folder.requireMadeWith(made);
    else {
      if (point === undefined) await prepareGenesis({ ...plan, ...settings }, folder, cachePath(), log);
      else await prepareFork(plan.config, point, bonds, folder.path);
      folder.noteMadeWith(made);
    }
    const close = async () => opened?.store.close();
    if (opened === undefined) return { plan, isContinued, [Symbol.asyncDispose]: close };
    const findPiece = (hash: Uint8Array) => opened.origin.find(hash);
    const forked = { ...plan, findPiece, execution: forkExecution(bonds) };
    return { plan: forked, isContinued, [Symbol.asyncDispose]: close };
  } catch (error) {
    await opened?.store.close();
    throw error;
  }
}

async function openOrigin({ url, at }: ForkSettings, folder: DevFolder) {
  const point = storedPoint(folder) ?? (await forkPointOf(url, at));
  const path = join(folder.path, originFolder);
  makeFolders(path);
  const store = new LmdbStore(path, { tables: ["history"] });
  const origin = new Origin(point.url, store);
  try {
    if (!folder.hasChain) await origin.fetchTop(Buffer.from(point.stateHash, "hex"));
  } catch (error) {
    await store.close();
    throw error;
  }
  storePoint(folder, point);
  return { point, store, origin };
}

/** A chain that is there goes on from where it began, however far the other has come. */
function storedPoint(folder: DevFolder): ForkPoint | undefined {
  const path = join(folder.path, forkFile);
  if (!folder.hasChain || !existsSync(path)) return undefined;
  const { blockNumber, timestamp, ...point } = JSON.parse(readFileSync(path, "utf8")) as Record<
    keyof ForkPoint,
    string
  >;
  return { ...point, blockNumber: BigInt(blockNumber), timestamp: BigInt(timestamp) };
}

function storePoint(folder: DevFolder, point: ForkPoint): void {
  const { blockNumber, timestamp } = point;
  const text = JSON.stringify({ ...point, blockNumber: String(blockNumber), timestamp: String(timestamp) });
  writeFileSync(join(folder.path, forkFile), text);
}
