import type { ChainEvent } from "@vedette/chain";
import { type NodeContext, noteContext } from "@vedette/config";
import { toHex } from "@vedette/crypto";
import { createLog, LogLevels, warn } from "@vedette/log";
import { BlockRhythm } from "./BlockRhythm.js";
import { blockLines } from "./blockLines.js";
import { DevChain } from "./DevChain.js";
import { DevFolder } from "./DevFolder.js";
import { checkDevSettings, type DevSettings } from "./DevSettings.js";
import { devHost } from "./devPorts.js";
import { devRoutes } from "./devRoutes.js";
import { firstLines } from "./firstLines.js";
import { fundAccounts } from "./fork/fundAccounts.js";
import { openChain } from "./openChain.js";
import type { DevPlan } from "./planDev.js";

/** How a chain for development is run and shown. */
export interface DevCommand {
  readonly settings: DevSettings;
  /** As of `--log-level`; the log goes to standard error. */
  readonly logLevel: string;
  readonly isJson: boolean;
  /** Where the chain is noted while it runs, for the commands of its user. */
  readonly contextFile: string | undefined;
  readonly write: (text: string) => void;
  /** When the process began, in milliseconds on the clock of `performance`. */
  readonly begunMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Runs a chain for development until the signal.
 *
 * @throws {DevError}, {PortsInUseError}, {DataDirectoryError}, and what else keeps a node from starting
 */
export async function runDev(command: DevCommand): Promise<void> {
  const { settings, isJson, write, begunMs, signal } = command;
  checkDevSettings(settings);
  using folder = await DevFolder.open(settings.dataDir);
  const log = createLog(process.stderr, new LogLevels(command.logLevel));
  await using opened = await openChain(settings, folder, log);
  const { plan } = opened;
  let isReady = false;
  const onChainEvent = (event: ChainEvent) => {
    if (isReady && event.type === "blockAdded") write(isJson ? jsonOfBlock(event) : blockLines(event.block));
  };
  await using chain = await DevChain.start({ plan, folder, log, onChainEvent, register: devRoutes });
  const isFunded = opened.isContinued || plan.fork === undefined;
  const funds = isFunded ? settings.balance : await fundAccounts(chain, plan.fork!, settings.fork?.fundFrom);
  isReady = true;
  const seconds = (performance.now() - begunMs) / 1000;
  write(isJson ? jsonOfStart(chain, seconds) : firstLines(chain, funds, seconds));
  using _noted = noteContext(contextOf(plan), command.contextFile, (text) => log(warn(text)));
  using _rhythm = new BlockRhythm(chain, (reason) => log(warn(reason)));
  await Promise.race([aborted(signal), chain.ended]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** How commands reach it. */
function contextOf({ ports }: DevPlan): NodeContext {
  const { grpcExternal: grpcPort, grpcInternal: operatorPort, http: httpPort, adminHttp: adminPort } = ports;
  const address = { host: devHost, grpcPort, operatorPort, httpPort, adminPort };
  return { name: `dev-${httpPort}`, writes: address, reads: address, pid: process.pid };
}

function jsonOfStart({ plan: { ports, accounts }, tip }: DevChain, seconds: number): string {
  const users = accounts.users.map(({ address, publicKey, privateKey }) => ({
    ...{ address, publicKey: toHex(publicKey), privateKey: toHex(privateKey) },
  }));
  const block = { blockHash: toHex(tip.hash), blockNumber: Number(tip.number) };
  return `${JSON.stringify({ type: "ready", seconds, ports, accounts: users, ...block })}\n`;
}

function jsonOfBlock({ block: { hash, number, body } }: ChainEvent & { readonly type: "blockAdded" }): string {
  const deploys = body.deploys.map(({ deploy, cost, failed }) => ({
    ...{ deployId: toHex(deploy.signature), cost: Number(cost), errored: failed },
  }));
  return `${JSON.stringify({ type: "block", blockHash: toHex(hash), blockNumber: Number(number), deploys })}\n`;
}
