import type { Config } from "@vedette/config";
import type { PieceSource } from "@vedette/executor/threads";
import type { Bond } from "@vedette/protocol";
import type { DevSettings } from "./DevSettings.js";
import { type DevAccounts, devAccountsOf } from "./devAccounts.js";
import { devConfig } from "./devConfig.js";
import { type DevPorts, devPorts } from "./devPorts.js";
import type { ForkPoint } from "./fork/ForkPoint.js";

/** A chain for development that can be started. */
export interface DevPlan {
  readonly settings: DevSettings;
  readonly accounts: DevAccounts;
  readonly ports: DevPorts;
  readonly config: Config;
  /** The bonded validators, where the states do not give them. */
  readonly bonds?: readonly Bond[];
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
  const { dialect } = settings;
  const config = devConfig({ directory, accounts, ports, isAutomatic, shardName, dialect, f1r3node: fork?.f1r3node });
  return { settings, accounts, ports, config, fork };
}
