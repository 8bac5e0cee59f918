import { checkVaultAddress } from "@vedette/crypto";
import { TermError } from "./TermError.js";

const largestAmount = 2n ** 63n - 1n;

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\t": "\\t",
};

/**
 * A text as a Rholang string literal, quotes included.
 *
 * There is no escape for a carriage return, which is allowed in a literal as it is.
 *
 * @spec 20 §2.4, 41 §10.2
 */
export function stringLiteral(text: string): string {
  return `"${text.replace(/[\\"\n\t]/g, (character) => escapes[character]!)}"`;
}

/** An address as a string literal. @throws {TermError} `badAddress` */
export function addressLiteral(role: string, address: string): string {
  const fault = checkVaultAddress(address);
  if (fault !== undefined) throw new TermError({ code: "badAddress", role, address, fault });
  return stringLiteral(address);
}

/** An amount as an integer literal. @throws {TermError} `badAmount` */
export function amountLiteral(role: string, amount: bigint): string {
  if (amount < 1n || amount > largestAmount) throw new TermError({ code: "badAmount", role, amount });
  return amount.toString();
}
