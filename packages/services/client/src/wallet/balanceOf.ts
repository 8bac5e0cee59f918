import type { ExploredBlock, HttpClient } from "../http/HttpClient.js";
import { type PosQuery, posQueryTerm } from "../term/posTerms.js";
import type { NetworkDialect } from "../term/systemNames.js";
import { balanceTerm } from "../term/vaultTerms.js";
import { RhoUnforgeable, type RhoValue } from "../value/RhoValue.js";
import { rholangText } from "../value/rholangText.js";
import { WalletError } from "./WalletError.js";

/**
 * Returns the balance of an address, in the smallest unit; 0 for one that never received anything.
 *
 * @spec 41 §10.1
 * @param read an observer
 * @throws {TermError} `badAddress`; {WalletError} `noAnswer`
 */
export async function balanceOf(
  read: HttpClient,
  address: string,
  dialect: NetworkDialect,
  state?: ExploredBlock,
): Promise<bigint> {
  const { values } = await read.explore(balanceTerm(address, dialect), state);
  const [balance] = values;
  if (typeof balance === "bigint") return balance;
  throw new WalletError({ code: "noAnswer", what: `The balance of ${address}`, answer: shown(balance) });
}

/**
 * A query that the proof-of-stake contract answers for every caller.
 *
 * @spec 41 §10.3
 * @param read an observer
 * @throws {WalletError} `noAnswer`
 */
export async function queryPos(
  read: HttpClient,
  query: PosQuery,
  dialect: NetworkDialect,
  state?: ExploredBlock,
): Promise<RhoValue> {
  const { values } = await read.explore(posQueryTerm(query, dialect), state);
  if (values[0] !== undefined) return values[0];
  throw new WalletError({ code: "noAnswer", what: `The answer to ${query}`, answer: shown(undefined) });
}

function shown(value: RhoValue | undefined): string {
  if (value === undefined) return "the node's state holds no such contract";
  if (typeof value === "string") return value;
  return value instanceof RhoUnforgeable ? "a name" : rholangText(value).slice(0, 100);
}
