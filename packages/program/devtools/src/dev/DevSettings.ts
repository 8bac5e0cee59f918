import type { DialectName } from "@vedette/config";
import { DevError } from "./DevError.js";

/** The settings of a chain for development. */
export interface DevSettings {
  /** The first of six ports in the usual order; 0: free ones. */
  readonly port: number;
  /** The seed of its accounts' keys. */
  readonly seed: string;
  /** The balance of each account, in the smallest unit. */
  readonly balance: bigint;
  /** Milliseconds between two blocks; `undefined`: a block as soon as a deploy is there. */
  readonly blockTimeMs: number | undefined;
  /** Where it is kept; `undefined`: in memory, gone when it ends. */
  readonly dataDir: string | undefined;
  /** The chain with the state from which it begins; `undefined` for a new genesis. */
  readonly fork: ForkSettings | undefined;
  /** The dialect of the chain. */
  readonly dialect: DialectName;
  /** Whether `GET /dev` returns the private keys of the accounts, for the playground to sign with. */
  readonly servesKeys: boolean;
}

/** Another node's chain, to begin from. */
export interface ForkSettings {
  /** The URL of its HTTP API. */
  readonly url: string;
  /** Hash or height of a block; `undefined`: the last finalized one. */
  readonly at: string | undefined;
  /** Public key, in hex, of the vault that funds the accounts; `undefined` for the richest recent deployer. */
  readonly fundFrom: string | undefined;
}

/** The default settings. */
export const defaultDevSettings: DevSettings = {
  port: 40_400,
  seed: "vedette dev",
  // A million tokens of eight decimals.
  balance: 100_000_000_000_000n,
  blockTimeMs: undefined,
  dataDir: undefined,
  fork: undefined,
  dialect: "rnode",
  servesKeys: false,
};

/** Ports that a chain has from its first one on. */
const portCount = 6;
const largestPort = 65_535;
/** Twelve accounts of it are far from the largest number of 64 bits. */
const largestBalance = 10n ** 17n;
const blockTimeRange = { from: 100, to: 86_400_000 } as const;
const longestSeed = 200;

/** @throws {DevError} `badSetting` */
export function checkDevSettings({ port, seed, balance, blockTimeMs }: DevSettings): void {
  const wrong = (option: string, rule: string) => new DevError({ code: "badSetting", option, rule });
  if (!Number.isInteger(port) || port < 0 || port + portCount - 1 > largestPort)
    throw wrong("port", `it must be 0 for free ports, or a number from 1 to ${largestPort - portCount + 1}`);
  if (seed.length === 0 || seed.length > longestSeed)
    throw wrong("seed", `it must have 1 to ${longestSeed} characters`);
  if (balance < 1n || balance > largestBalance) throw wrong("balance", `it must be from 1 to ${largestBalance}`);
  const { from, to } = blockTimeRange;
  if (blockTimeMs !== undefined && !(blockTimeMs >= from && blockTimeMs <= to))
    throw wrong("block-time", `it must be from ${from / 1000} to ${to / 1000} seconds`);
}
