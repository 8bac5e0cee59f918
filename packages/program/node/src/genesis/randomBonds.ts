import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { EOL } from "node:os";
import { dirname, join } from "node:path";
import { info, type Log, warn } from "@vedette/config/log";
import { isSecp256k1PrivateKey, replaceFile, secp256k1PublicKeyOf, toHex, writeNewFile } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { FileBond } from "./bondsFile.js";
import { GenesisSetupError } from "./GenesisSetupError.js";

const secretMode = 0o600;
const bondsMode = 0o644;
const secretFolderMode = 0o700;

/**
 * Makes validators where there is no bonds file: writes each one's private key beside the file, then the file.
 *
 * @returns stakes 1, 2, 3, …
 * @throws {GenesisSetupError} `cannotWrite`
 * @spec 40 §10.4
 */
export function makeRandomBonds(path: string, count: number, log: Log): readonly FileBond[] {
  log(warn(`BONDS FILE NOT FOUND: ${path}. Creating file with random bonds.`));
  const folder = dirname(path);
  const bonds: FileBond[] = [];
  writing(folder, () => mkdirSync(folder, { recursive: true, mode: secretFolderMode }));
  for (let number = 1; number <= count; number++) {
    const privateKey = newPrivateKey();
    const validator = secp256k1PublicKeyOf(privateKey);
    const file = join(folder, `${toHex(validator)}.sk`);
    writing(file, () => writeNewFile(file, toHex(privateKey), secretMode));
    bonds.push({ validator, stake: BigInt(number), line: number });
  }
  const text = bonds.map(({ validator, stake }) => `${toHex(validator)} ${stake}${EOL}`).join("");
  // Either the whole file is there or none of it: a node that ends here makes new validators. The keys are on disk
  // before it is.
  writing(path, () => replaceFile(path, text, bondsMode));
  for (const { validator, stake } of bonds) log(info(`Bond generated ${toHex(validator)} => ${stake}`));
  return bonds;
}

function newPrivateKey(): Uint8Array {
  for (;;) {
    const key = new Uint8Array(randomBytes(32));
    if (isSecp256k1PrivateKey(key)) return key;
  }
}

function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const reason = errorText(error);
    throw new GenesisSetupError({ code: "cannotWrite", path, reason }, { cause: error });
  }
}
