import type { BlockExecution, ProposeExecution } from "@vedette/chain";
import type { Config } from "@vedette/config";
import type { PieceSource } from "@vedette/workers/threads";
import type { DevSettings } from "./DevSettings.js";
import { type DevAccounts, devAccountsOf } from "./devAccounts.js";
import { devConfig } from "./devConfig.js";
import { type DevPorts, devPorts } from "./devPorts.js";
import type { ForkPoint } from "./fork/ForkPoint.js";

type Execution = BlockExecution & ProposeExecution;

/** A chain for development that can be started. */
export interface DevPlan {
  readonly settings: DevSettings;
  readonly accounts: DevAccounts;
  readonly ports: DevPorts;
  readonly config: Config;
  /** How its blocks are executed, where that is not the usual way. */
  readonly execution?: (usual: Execution) => Execution;
  /** Where it begins, when that is another chain. */
  readonly fork?: ForkPoint | undefined;
  /** Where what is not here yet of its state comes from. */
  readonly pieces?: PieceSource;
}

/** @param directory where the chain is kept @throws {DevError} `badSetting`, `noFreePorts` */
export async function planDev(settings: DevSettings, directory: string, fork?: ForkPoint): Promise<DevPlan> {
  const accounts = devAccountsOf(settings.seed);
  const ports = await devPorts(settings.port);
  const isAutomatic = settings.blockTimeMs === undefined;
  const shardName = fork?.shardName ?? "root";
  const config = devConfig({ directory, accounts, ports, isAutomatic, shardName, dialect: settings.dialect });
  return { settings, accounts, ports, config, fork };
}
