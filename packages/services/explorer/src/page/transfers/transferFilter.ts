import { checkVaultAddress, type NativeToken, parseTokens } from "@vedette/client";
import { betweenDays } from "../../data/indexConditions.js";
import type { ListStart } from "../../data/useIndexList.js";
import type { DaySearch } from "../../part/FilterForm.js";
import { accountOf } from "../account/accountOf.js";

/** The filter of the shown transfers, from the page's address. */
export interface TransferSearch extends DaySearch, ListStart {
  /** An address or a public key. */
  readonly account?: string;
  /** Coins. */
  readonly least?: string;
  /** Coins. */
  readonly most?: string;
  readonly sort?: "amount";
}

/** The conditions for the index, or the fault of the filter. */
export type TransferFilter = { readonly parts: readonly object[] } | { readonly fault: string };

/** The conditions of a filter, for GraphQL. */
export function transferFilter(search: TransferSearch, { decimals }: NativeToken): TransferFilter {
  const { account, least, most } = search;
  const parts = betweenDays(search);
  if (account !== undefined) {
    const address = accountOf(account)?.address;
    if (address === undefined || checkVaultAddress(address) !== undefined)
      return { fault: "The account is neither an address nor a public key: check whether all of it was copied." };
    parts.push({ _or: [{ from_address: { _eq: address } }, { to_address: { _eq: address } }] });
  }
  for (const [bound, text] of [
    ["_gte", least],
    ["_lte", most],
  ] as const) {
    if (text === undefined) continue;
    const amount = parseTokens(text.replaceAll(",", ""), decimals);
    if (amount === undefined) return { fault: `An amount is a number like 12.5, with ${decimals} decimals at most.` };
    parts.push({ amount_dust: { [bound]: String(amount) } });
  }
  return { parts };
}
