import { readFileSync, statSync } from "node:fs";
import { errorText } from "@vedette/errors";
import { GenesisSetupError } from "./GenesisSetupError.js";

/** A line of a genesis file that is not blank. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Maximum size of a file, for about 400,000 wallets. */
const maximumBytes = 32 * 1024 * 1024;
/** Maximum number of characters of a bad line in an error. */
const shownCharacters = 1000;

/**
 * The lines of a bonds or wallets file, without those that are blank.
 *
 * @returns `undefined` where there is no file
 * @throws {GenesisSetupError} `unreadable`
 * @spec 40 §10.4, §10.5
 */
export function readGenesisFile(path: string): readonly FileLine[] | undefined {
  const text = readText(path);
  return text
    ?.split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => line.text.trim() !== "");
}

/** A line as an error shows it. */
export function shownLine({ text }: FileLine): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}...`;
}

/** A signed 64-bit number that is not negative; `undefined` where the digits are too many. @spec 40 §10.4 */
export function parseAmount(digits: string): bigint | undefined {
  const amount = digits.length > shownCharacters ? maxLong + 1n : BigInt(digits);
  return amount <= maxLong ? amount : undefined;
}

const maxLong = 2n ** 63n - 1n;

function readText(path: string): string | undefined {
  try {
    const facts = statSync(path);
    if (!facts.isFile()) throw new GenesisSetupError({ code: "unreadable", path, reason: "it is not a file" });
    if (facts.size > maximumBytes) {
      throw new GenesisSetupError({ code: "unreadable", path, reason: `it is larger than ${maximumBytes} bytes` });
    }
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof GenesisSetupError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const reason = errorText(error);
    throw new GenesisSetupError({ code: "unreadable", path, reason }, { cause: error });
  }
}
