/**
 * The vault of the proof-of-stake contract. It exists from genesis on, on networks with vaults that keep balances on
 * names derived from addresses.
 *
 * @spec 30 §10.6
 */
export const proofOfStakeVault = "1111uz1EArS14h37Gf8TVqiFbvtcGozXCkMZq6bYPZfhQHgutfCC7";
