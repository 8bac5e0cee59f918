import { printJson } from "@vedette/api";
import type { ChainEvent } from "@vedette/chain";
import { type NodeContext, noteContext } from "@vedette/config";
import { type Log, warn } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { NodeResources } from "@vedette/node/run";
import type { Block } from "@vedette/protocol";
import { DevChain } from "./DevChain.js";
import { DevDeploys } from "./DevDeploys.js";
import type { DevFolder } from "./DevFolder.js";
import type { DevSettings } from "./DevSettings.js";
import { devHost } from "./devPorts.js";
import { devRoutes } from "./devRoutes.js";
import { firstLines } from "./firstLines.js";
import { fundAccounts } from "./fork/fundAccounts.js";
import type { OpenChain } from "./openChain.js";
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

/** The resources of a chain for development. */
export interface DevChainResources {
  readonly opened: OpenChain;
  readonly folder: DevFolder;
  readonly log: Log;
  readonly ground: NodeResources;
}

/** Runs a chain for development until the signal, and prints what happens on it. */
export async function runDevChain(
  command: DevCommand,
  { opened, folder, log, ground }: DevChainResources,
): Promise<void> {
  const { isJson, write, begunMs, signal, contextFile } = command;
  const { plan } = opened;
  await opened.begin(ground);
  let isReady = false;
  const onChainEvent = (event: ChainEvent) => {
    if (isReady && event.type === "blockAdded") write(isJson ? jsonOfBlock(event) : blockLines(event.block));
  };
  await using chain = await DevChain.start({ plan, folder, ground, log, onChainEvent, register: devRoutes });
  const funds = await fundsOf(chain, opened);
  isReady = true;
  const seconds = (performance.now() - begunMs) / 1000;
  write(isJson ? jsonOfStart(chain, seconds) : firstLines(chain, funds, seconds));
  using _noted = noteContext(contextOf(plan), contextFile, (text) => log(warn(text)));
  using _rhythm = new BlockTimer(chain, (reason) => log(warn(reason)));
  await Promise.race([aborted(signal), chain.ended]);
}

/** @returns the balance of every account, or why it has none */
async function fundsOf(chain: DevChain, opened: OpenChain): Promise<bigint | string> {
  if (opened.funds === undefined) return chain.plan.settings.balance;
  const funds = await opened.funds;
  return typeof funds === "string" ? funds : fundAccounts(chain, funds);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** How commands reach it. */
function contextOf({ ports, settings }: DevPlan): NodeContext {
  const { grpcExternal: grpcPort, grpcInternal: operatorPort, http: httpPort, adminHttp: adminPort } = ports;
  const address = { host: devHost, grpcPort, operatorPort, httpPort, adminPort };
  return { name: `dev-${httpPort}`, writes: address, reads: address, dialect: settings.dialect, pid: process.pid };
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
    ...{ deployId: toHex(deploy.signature), cost, errored: failed },
  }));
  return `${printJson({ type: "block", blockHash: toHex(hash), blockNumber: number, deploys })}\n`;
}

/** Printed for a new block: its number, its deploys, their costs, and whether they failed. */
function blockLines({ number, hash, body, header }: Block): string {
  const time = new Date(Number(header.timestamp)).toISOString().slice(0, 19).replace("T", " ");
  const deploys = body.deploys.map(({ deploy, cost, failed, systemDeployError }) => {
    const outcome = systemDeployError || (failed ? "failed" : "ok");
    return `      ${toHex(deploy.signature).slice(0, 16)}…  ${cost} phlo  ${outcome}`;
  });
  return [`#${number}  ${toHex(hash).slice(0, 16)}…  ${time}`, ...deploys, ""].join("\n");
}

/** Has a block made at every beat of the chain's rhythm, with the waiting deploys or with a filler deploy. */
class BlockTimer implements Disposable {
  readonly #timer: NodeJS.Timeout | undefined;
  #isMaking = false;

  /** @param failed receives the reason why no block was made */
  constructor(chain: DevChain, failed: (reason: string) => void) {
    const { blockTimeMs } = chain.plan.settings;
    if (blockTimeMs === undefined) return;
    const deploys = new DevDeploys(chain);
    const make = async () => {
      const { pool, queue } = chain.inside.proposing;
      const result = pool.size > 0 ? await queue.proposeNow() : undefined;
      // The waiting deploys may be for a later block.
      if (result?.status !== "Success" && !queue.isBusy) await deploys.mine(1);
    };
    this.#timer = setInterval(() => {
      if (this.#isMaking) return;
      this.#isMaking = true;
      void make()
        .catch((error: unknown) => failed(`No block: ${errorText(error)}`))
        .finally(() => (this.#isMaking = false));
    }, blockTimeMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
