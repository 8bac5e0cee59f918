import { resolve } from "node:path";
import type { Config } from "@vedette/config";
import type { Log } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { type F1r3nodeGenesisParameters, type GenesisToken, thresholdPpm } from "@vedette/execution";
import { type FileBond, readBondsFile } from "./bondsFile.js";
import { GenesisSetupError } from "./GenesisSetupError.js";
import { makeRandomBonds } from "./randomBonds.js";
import { readWalletsFile } from "./walletsFile.js";

/** The genesis settings of the configuration and its files. */
export interface GenesisSettings {
  /** With the parameters that networks of all dialects need. */
  readonly parameters: F1r3nodeGenesisParameters;
  /** Where the bonds are from. */
  readonly bondsPath: string;
}

const publicKeySize = 65;

/**
 * Reads what genesis is made from.
 *
 * @param whenBondsAreMissing `make`: a ceremony's master makes validators of its own; `refuse`: a genesis validator
 *   could only refuse every candidate then
 * @throws {GenesisSetupError} with the file or the key that is wrong
 * @spec 40 §10.2 step 1, §10.4, §10.5, 50 §5.3
 */
export function readGenesisParameters(
  config: Config,
  whenBondsAreMissing: "make" | "refuse",
  log: Log,
): GenesisSettings {
  checkBondLimits(config);
  const keys = multiSigKeys(config);
  const bondsPath = resolve(config["casper.genesis-block-data.bonds-file"]);
  const bonds = readBondsFile(bondsPath, log) ?? missingBonds(config, bondsPath, whenBondsAreMissing, log);
  checkBonds(bonds, bondsPath, config["casper.genesis-ceremony.required-signatures"]);
  const wallets = readWalletsFile(resolve(config["casper.genesis-block-data.wallets-file"]), log);
  const parameters: F1r3nodeGenesisParameters = {
    shardId: config["casper.shard-name"],
    bonds: bonds.map(({ validator, stake }) => ({ validator, stake })),
    wallets,
    minimumBond: config["casper.genesis-block-data.bond-minimum"],
    maximumBond: config["casper.genesis-block-data.bond-maximum"],
    epochLength: config["casper.genesis-block-data.epoch-length"],
    quarantineLength: config["casper.genesis-block-data.quarantine-length"],
    numberOfActiveValidators: config["casper.genesis-block-data.number-of-active-validators"],
    posMultiSigPublicKeys: keys,
    posMultiSigQuorum: config["casper.genesis-block-data.pos-multi-sig-quorum"],
    nativeToken: nativeTokenOf(config),
    faultToleranceThresholdPpm: thresholdPpm(config["casper.fault-tolerance-threshold"]),
  };
  return { parameters, bondsPath };
}

/** Returns the token of the configuration. @spec 61 §11 */
export function nativeTokenOf(config: Config): GenesisToken {
  return {
    name: config["casper.genesis-block-data.native-token-name"],
    symbol: config["casper.genesis-block-data.native-token-symbol"],
    decimals: config["casper.genesis-block-data.native-token-decimals"],
  };
}

function missingBonds(config: Config, path: string, when: "make" | "refuse", log: Log): readonly FileBond[] {
  if (when === "refuse") throw new GenesisSetupError({ code: "bondsMissing", path });
  return makeRandomBonds(path, config["casper.genesis-ceremony.autogen-shard-size"], log);
}

function checkBondLimits(config: Config): void {
  const minimum = config["casper.genesis-block-data.bond-minimum"];
  const maximum = config["casper.genesis-block-data.bond-maximum"];
  if (minimum > maximum) throw new GenesisSetupError({ code: "bondLimits", minimum, maximum });
}

function multiSigKeys(config: Config): readonly string[] {
  const keys = config["casper.genesis-block-data.pos-multi-sig-public-keys"];
  const isKey = (key: string) => key.length === 2 * publicKeySize && /^[0-9a-fA-F]+$/.test(key);
  const bad = keys.find((key) => !isKey(key));
  if (bad !== undefined) throw new GenesisSetupError({ code: "badMultiSigKey", key: bad });
  const quorum = config["casper.genesis-block-data.pos-multi-sig-quorum"];
  if (quorum > keys.length) throw new GenesisSetupError({ code: "quorum", quorum, keys: keys.length });
  return keys;
}

function checkBonds(bonds: readonly FileBond[], path: string, required: number): void {
  if (bonds.length === 0) throw new GenesisSetupError({ code: "noBonds", path });
  for (const { validator, line } of bonds) {
    // rnode takes any digits; of another key no validator can be made.
    const { length } = validator;
    if (length === publicKeySize && validator[0] === 4) continue;
    throw new GenesisSetupError({ code: "badBondKey", path, line, key: toHex(validator).slice(0, 200), length });
  }
  if (required >= bonds.length) {
    throw new GenesisSetupError({ code: "tooManySignatures", required, bonds: bonds.length, path });
  }
}
