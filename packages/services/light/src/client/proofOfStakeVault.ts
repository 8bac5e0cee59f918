/**
 * The vault of the proof-of-stake contract. On networks whose vaults keep balances on names that follow from addresses, it
 * is there from genesis on.
 *
 * @spec 30 §10.6
 */
export const proofOfStakeVault = "1111uz1EArS14h37Gf8TVqiFbvtcGozXCkMZq6bYPZfhQHgutfCC7";
