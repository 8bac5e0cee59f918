import { info, type Log, warn } from "@vedette/config/log";
import { checkVaultAddress } from "@vedette/crypto";
import type { GenesisWallet } from "@vedette/execution";
import { GenesisSetupError } from "./GenesisSetupError.js";
import { type FileLine, parseAmount, readGenesisFile, shownLine } from "./readGenesisFile.js";

const form = "<ASI_address>,<balance>";
// Quirk 40 §10.5: whatever follows the digits is not looked at.
const walletPattern = /^([1-9a-zA-Z]+),([0-9]+)/;

/**
 * The first vaults, from the wallets file, in its order; without a file there are none.
 *
 * @throws {GenesisSetupError} `badLine`, `unreadable`
 * @spec 40 §10.5
 */
export function readWalletsFile(path: string, log: Log): readonly GenesisWallet[] {
  const lines = readGenesisFile(path);
  if (lines === undefined) {
    log(warn(`WALLETS FILE NOT FOUND: ${path}. No vaults will be put in genesis block.`));
    return [];
  }
  log(info(`Parsing wallets file ${path}.`));
  return lines.map((line) => {
    const wallet = parseWallet(line, path);
    log(info(`Wallet loaded: ${line.text.slice(0, 200)}`));
    return wallet;
  });
}

function parseWallet(line: FileLine, path: string): GenesisWallet {
  const refuse = (problem: string) =>
    new GenesisSetupError({ code: "badLine", file: "WALLETS", path, line: line.number, problem });
  const [, address, digits] = walletPattern.exec(line.text) ?? [];
  const actual = `\`${form}\`, actual: \`${shownLine(line)}\``;
  if (address === undefined || digits === undefined) throw refuse(`INVALID LINE FORMAT: ${actual}`);
  const fault = checkVaultAddress(address);
  if (fault !== undefined) throw refuse(`PARSE ERROR: ${fault}, ${actual}`);
  const balance = parseAmount(digits);
  if (balance === undefined) {
    throw refuse(`INVALID WALLET BALANCE \`${digits.slice(0, 100)}\`. Please put positive number.`);
  }
  return { address, balance };
}
