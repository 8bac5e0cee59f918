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
  readonly state?: (typeof transferStates)[number];
  readonly sort?: "amount";
}

/** States of transfers that can be chosen. */
export const transferStates = ["included", "finalized", "failed", "rejected", "expired"] as const;

/** The conditions for the index, or the fault of the filter. */
export type TransferFilter = { readonly parts: readonly object[] } | { readonly fault: string };

/** The conditions of a filter, for GraphQL. */
export function transferFilter(search: TransferSearch, { decimals }: NativeToken): TransferFilter {
  const { account, least, most, state } = search;
  const parts = [...betweenDays(search), ...(state === undefined ? [] : [conditionOfState(state)])];
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

/** A transfer that failed itself has that state, whatever came of its deploy. */
function conditionOfState(state: (typeof transferStates)[number]): object {
  return state === "failed"
    ? { _or: [{ status: { _eq: "failed" } }, { fate: { _in: ["failed", "failedSoFar"] } }] }
    : { fate: { _eq: state }, status: { _neq: "failed" } };
}
