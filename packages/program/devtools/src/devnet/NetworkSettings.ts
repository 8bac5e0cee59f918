import { type DialectName, findDialectName } from "@vedette/config";
import { LocalNetworkError } from "./LocalNetworkError.js";

/** How equivocations are judged: by proofs, or as rnode does by what came first. @spec 40 §16 */
export const judgements = ["evidence", "arrival"] as const;

/** The settings of a local network. */
export interface NetworkSettings {
  readonly validators: number;
  /** The stake of each genesis validator. */
  readonly stake: bigint;
  /** How many funded test wallets there are. */
  readonly wallets: number;
  /** The balance of each wallet. */
  readonly balance: bigint;
  /** Time between two blocks of the whole network. */
  readonly rhythmMs: number;
  /** How many parents a block may have. */
  readonly parents: number;
  readonly faultTolerance: number;
  readonly synchrony: number;
  readonly epochLength: number;
  readonly quarantineLength: number;
  readonly basePort: number;
  readonly judgeBy: (typeof judgements)[number];
  readonly dialect: DialectName;
}

/** A network of its own on a two-core machine. */
export const defaultSettings: NetworkSettings = {
  validators: 3,
  stake: 1_000n,
  wallets: 3,
  balance: 10_000_000_000_000n,
  rhythmMs: 5_000,
  parents: 1,
  faultTolerance: 0.1,
  synchrony: 0,
  epochLength: 100,
  quarantineLength: 100,
  // Below every system's range of ports that it gives to outgoing connections, so that none of them is in the way.
  basePort: 14_400,
  judgeBy: "evidence",
  dialect: "rnode",
};

/** The defaults that differ by dialect: on f1r3node networks blocks merge side by side, and are judged by floors. */
const usual: Readonly<Record<DialectName, Partial<NetworkSettings>>> = {
  rnode: {},
  f1r3node: { parents: 10, judgeBy: "arrival" },
};

/** Settings that may change from one start to the next: they are no part of genesis, nor of what blocks are valid. */
const changeable: readonly (keyof NetworkSettings)[] = ["rhythmMs", "synchrony", "basePort"];

const largestInt64 = 2n ** 63n - 1n;
const portsPerNode = 10;

/**
 * The settings of a new network.
 *
 * @throws {LocalNetworkError} `badSetting`
 */
export function newSettings(given: Partial<NetworkSettings>): NetworkSettings {
  const settings = { ...defaultSettings, ...usual[given.dialect ?? defaultSettings.dialect], ...given };
  checkSettings(settings);
  return settings;
}

/**
 * The settings of a network that goes on.
 *
 * @throws {LocalNetworkError} `settingsDiffer` where one is wanted that genesis has decided otherwise; `badSetting`
 */
export function continuedSettings(
  stored: NetworkSettings,
  given: Partial<NetworkSettings>,
  directory: string,
): NetworkSettings {
  const differing = (Object.keys(given) as (keyof NetworkSettings)[]).filter(
    (option) => !changeable.includes(option) && given[option] !== stored[option],
  );
  if (differing.length > 0) {
    const options = differing.map((option) => ({ option, stored: String(stored[option]) }));
    throw new LocalNetworkError({ code: "settingsDiffer", directory, options });
  }
  const settings = { ...stored, ...given };
  checkSettings(settings);
  return settings;
}

function checkSettings(settings: NetworkSettings): void {
  const { validators, wallets, rhythmMs, parents, faultTolerance, synchrony } = settings;
  check("validators", isWhole(validators, 1, 50), "it must be from 1 to 50");
  check("stake", settings.stake >= 1n && settings.stake <= 2n ** 53n, "it must be from 1 to 2^53");
  check("wallets", isWhole(wallets, 1, 1_000), "it must be from 1 to 1000");
  check("balance", settings.balance >= 0n && settings.balance <= largestInt64 / 1_000n, "it must be from 0 to 9·10^15");
  check("rhythmMs", isWhole(rhythmMs, 200, 3_600_000), "it must be from 200 ms to an hour");
  check("parents", isWhole(parents, 1, 100), "it must be from 1 to 100");
  check("faultTolerance", faultTolerance >= -1 && faultTolerance <= 1, "it must be from -1 to 1");
  check("synchrony", synchrony >= 0 && synchrony <= 1, "it must be from 0 to 1");
  check("epochLength", isWhole(settings.epochLength, 1, 1_000_000), "it must be from 1 to 1000000");
  check("quarantineLength", isWhole(settings.quarantineLength, 0, 1_000_000), "it must be from 0 to 1000000");
  const isByItsRules = settings.dialect === "rnode" || settings.judgeBy === "arrival";
  check("judgeBy", isByItsRules, "evidence is a rule of networks of the dialect rnode");
  const span = portsPerNode * (Math.max(5, validators + 1) + 1);
  check("basePort", isWhole(settings.basePort, 1_024, 65_535 - span), `it must be from 1024 to ${65_535 - span}`);
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function check(option: keyof NetworkSettings, isGood: boolean, rule: string): void {
  if (!isGood) throw new LocalNetworkError({ code: "badSetting", option, rule });
}

/** Returns settings in their form in a file. */
export function printSettings(settings: NetworkSettings): Record<string, string | number> {
  return { ...settings, stake: String(settings.stake), balance: String(settings.balance) };
}

/**
 * Settings from a file.
 *
 * @throws {TypeError} where something is missing or of another type
 * @throws {LocalNetworkError} `badSetting`
 */
export function parseSettings(value: unknown): NetworkSettings {
  if (typeof value !== "object" || value === null) throw new TypeError("settings are missing");
  const stored = value as Record<string, unknown>;
  const numbers: Record<string, number> = {};
  for (const [name, known] of Object.entries(defaultSettings)) {
    if (typeof known !== "number") continue;
    const number = stored[name];
    if (typeof number !== "number") throw new TypeError(`the setting ${name} is missing`);
    numbers[name] = number;
  }
  const settings = {
    ...defaultSettings,
    ...numbers,
    stake: amountOf(stored, "stake"),
    balance: amountOf(stored, "balance"),
    judgeBy: judgements.find((one) => one === stored["judgeBy"]) ?? "arrival",
    dialect: findDialectName(stored["dialect"]) ?? defaultSettings.dialect,
  };
  checkSettings(settings);
  return settings;
}

function amountOf(stored: Record<string, unknown>, name: string): bigint {
  const text = stored[name];
  if (typeof text !== "string" || !/^\d{1,19}$/.test(text)) throw new TypeError(`the setting ${name} is missing`);
  return BigInt(text);
}
