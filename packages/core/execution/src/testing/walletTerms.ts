/** Returns the term with which wallets query the balance of an address. @spec 41 §10.1 */
export function walletBalanceTerm(address: string): string {
  return `new return, rl(\`rho:registry:lookup\`), ASIVaultCh, vaultCh in {
  rl!(\`rho:rchain:asiVault\`, *ASIVaultCh) |
  for (@(_, ASIVault) <- ASIVaultCh) {
    @ASIVault!("findOrCreate", "${address}", *vaultCh) |
    for (@either <- vaultCh) {
      match either {
        (true, vault) => { @vault!("balance", *return) }
        (false, err) => { return!(err) }
      }
    }
  }
}`;
}

/** A transfer as wallets send it. @spec 41 §10.2 */
export function walletTransferTerm(from: string, to: string, amount: bigint): string {
  return `new deployerId(\`rho:rchain:deployerId\`), stdout(\`rho:io:stdout\`), rl(\`rho:registry:lookup\`),
    ASIVaultCh, vaultCh, toVaultCh, asiVaultkeyCh, resultCh in {
  rl!(\`rho:rchain:asiVault\`, *ASIVaultCh) |
  for (@(_, ASIVault) <- ASIVaultCh) {
    @ASIVault!("findOrCreate", "${from}", *vaultCh) |
    @ASIVault!("findOrCreate", "${to}", *toVaultCh) |
    @ASIVault!("deployerAuthKey", *deployerId, *asiVaultkeyCh) |
    for (@(true, vault) <- vaultCh; key <- asiVaultkeyCh; @(true, toVault) <- toVaultCh) {
      @vault!("transfer", "${to}", ${amount}, *key, *resultCh) |
      for (@result <- resultCh) {
        match result {
          (true, Nil) => { stdout!(("Transfer successful:", ${amount}, "ASI")) }
          (false, reason) => { stdout!(("Transfer failed:", reason)) }
        }
      }
    } |
    for (@(false, errorMsg) <- vaultCh) { stdout!(("Sender vault error:", errorMsg)) } |
    for (@(false, errorMsg) <- toVaultCh) { stdout!(("Destination vault error:", errorMsg)) }
  }
}`;
}
