import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorText } from "@vedette/errors";
import { DataDirectoryError, lockDirectory, lockName, makeFolders } from "@vedette/node/machine";
import { checkNetworkPorts } from "./checkNetworkPorts.js";
import { fleetFile, fleetFolder } from "./fleet/planFleet.js";
import { LocalNetworkError } from "./LocalNetworkError.js";
import { continuedSettings, type NetworkSettings, newSettings } from "./NetworkSettings.js";
import {
  configFile,
  createNetworkFiles,
  networkFile,
  readNetwork,
  readWallets,
  type StoredNetwork,
  type TestWallet,
  walletsFile,
  walletsFolder,
  writeNetworkFiles,
} from "./networkFiles.js";
import { configMark, type NetworkIdentity } from "./nodeConfig.js";
import { type NetworkPlan, type Placement, planNetwork } from "./planNetwork.js";

/** How a network is opened. */
export interface OpenOptions {
  readonly directory: string;
  /** The given settings; the others are those of the network, or the defaults. */
  readonly given: Partial<NetworkSettings>;
  /** Begin anew, whatever is there. */
  readonly isFresh: boolean;
  readonly placement?: Placement;
}

/** A network with existing files that this process alone may run. */
export interface OpenNetwork extends AsyncDisposable {
  readonly plan: NetworkPlan;
  readonly identity: NetworkIdentity;
  readonly wallets: readonly TestWallet[];
  /** It was made just now. */
  readonly isNew: boolean;
  /** The maximum wait until the processes of a killed launcher are gone. */
  readonly patienceMs: number;
  /** The files that were removed to begin anew. */
  readonly removed: readonly string[];
}

/** Marks that a launcher is at work; a left-over file shows that the launcher was killed. */
const launcherFile = "launcher.json";
const draftPrefix = ".draft-";
/** The time that the nodes of a killed launcher may take to end. */
const orphanPatienceMs = 25_000;

/**
 * Takes a directory for this process and makes a network there, or goes on with the one that it holds.
 *
 * @throws {LocalNetworkError}
 */
export async function openNetwork({ directory, given, isFresh, placement }: OpenOptions): Promise<OpenNetwork> {
  const path = resolve(directory);
  makeDirectory(path);
  const lock = await takeDirectory(path);
  const release = () => new Promise<void>((done) => lock.close(() => done()));
  try {
    const stored = isFresh ? undefined : readNetwork(path);
    if (stored === undefined && !isFresh && !isUnused(path))
      throw new LocalNetworkError({ code: "notOurs", directory: path });
    const settings = stored === undefined ? newSettings(given) : continuedSettings(stored.settings, given, path);
    const plan = planNetwork(path, settings, placement);
    if (isFresh) checkPlaces(plan);
    const launcher = join(path, launcherFile);
    const patienceMs = existsSync(launcher) ? orphanPatienceMs : 0;
    if (placement?.hasOwnHosts !== true) await checkNetworkPorts(plan.nodes, patienceMs);
    const removed = stored === undefined ? removeNetwork(path) : [];
    const known = stored ?? makeNetwork(plan);
    writeNetworkFiles(plan, known);
    const wallets = readWallets(path);
    const close = () => {
      rmSync(launcher, { force: true });
      return release();
    };
    return {
      plan,
      identity: known.identity,
      wallets,
      isNew: stored === undefined,
      patienceMs,
      removed,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Path of the file that marks that a launcher is at work. */
export function launcherPath(directory: string): string {
  return join(directory, launcherFile);
}

/** All files, or none: a network that was made by half would be in the way of the next start. */
function makeNetwork(plan: NetworkPlan): StoredNetwork {
  const draft = mkdtempSync(join(plan.directory, draftPrefix));
  try {
    const stored = createNetworkFiles(plan, draft, Date.now());
    for (const name of readdirSync(draft)) renameSync(join(draft, name), join(plan.directory, name));
    return stored;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes what was made here, and nothing else. @returns the names of what was removed */
function removeNetwork(directory: string): string[] {
  const ours = readdirSync(directory).filter((name) => isOurs(directory, name));
  for (const name of ours) rmSync(join(directory, name), { recursive: true });
  return ours;
}

/** Other files may stay, unless one has a name that the network needs. */
function checkPlaces({ directory, nodes }: NetworkPlan): void {
  const names = [...nodes.map(({ name }) => name), "genesis", walletsFolder, fleetFolder];
  if (names.some((name) => existsSync(join(directory, name)) && !isOurs(directory, name)))
    throw new LocalNetworkError({ code: "notOurs", directory });
}

function isOurs(directory: string, name: string): boolean {
  if ([networkFile, walletsFile, launcherFile].includes(name) || name.startsWith(draftPrefix)) return true;
  const path = join(directory, name);
  if (name === "genesis") return readdirSync(path).every((file) => ["bonds.txt", "wallets.txt"].includes(file));
  if (name === fleetFolder) return existsSync(join(path, fleetFile));
  if (name === walletsFolder) return readdirSync(path).every((file) => /^wallet\d+\.key$/.test(file));
  const config = join(path, configFile);
  return existsSync(config) && readFileSync(config, "utf8").startsWith(configMark);
}

/** Nothing is there, or what is left of an attempt to make a network that was cut off. */
function isUnused(directory: string): boolean {
  const names = readdirSync(directory).filter((name) => name !== lockName);
  return names.every((name) => isOurs(directory, name) && !existsSync(join(directory, name, "chain")));
}

function makeDirectory(path: string): void {
  try {
    makeFolders(path, 0o700);
  } catch (error) {
    const reason = errorText(error);
    throw new LocalNetworkError({ code: "notUsable", directory: path, reason }, { cause: error });
  }
}

async function takeDirectory(path: string) {
  try {
    return await lockDirectory(path);
  } catch (error) {
    if (error instanceof DataDirectoryError) throw new LocalNetworkError({ code: "alreadyRunning", directory: path });
    throw error;
  }
}
