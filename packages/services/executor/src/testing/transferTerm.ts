/** A program that moves an amount from the sender's vault to another one, on f1r3node networks. */
export function f1r3nodeTransferTerm(from: string, to: string, amount: number): string {
  return `new deployerId(\`rho:system:deployerId\`), lookup(\`rho:registry:lookup\`), found, own, other, key, done in {
    lookup!(\`rho:vault:system\`, *found) |
    for (@(_, vaults) <- found) {
      @vaults!("findOrCreate", "${from}", *own) |
      @vaults!("findOrCreate", "${to}", *other) |
      @vaults!("deployerAuthKey", *deployerId, *key) |
      for (@(true, vault) <- own; authority <- key; @(true, _) <- other) {
        @vault!("transfer", "${to}", ${amount}, *authority, *done)
      }
    }
  }`;
}
