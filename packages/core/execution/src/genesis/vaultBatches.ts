import type { GenesisWallet } from "./GenesisParameters.js";

/** Wallets that one deploy fills. @spec 41 §5.1 */
const batchSize = 100;

/**
 * The texts of the deploys that fill the vaults of genesis: none where there are no wallets.
 *
 * After each but the last the vault contract may be initialized once more.
 *
 * @spec 41 §5.2
 */
export function vaultBatches(wallets: readonly GenesisWallet[]): string[] {
  const batches: string[] = [];
  for (let start = 0; start < wallets.length; start += batchSize)
    batches.push(batchTerm(wallets.slice(start, start + batchSize), start + batchSize >= wallets.length));
  return batches;
}

function batchTerm(wallets: readonly GenesisWallet[], isLast: boolean): string {
  const pairs = wallets.map(({ address, balance }) => `("${address}", ${balance})`).join(", ");
  return `new lookup(\`rho:registry:lookup\`), contractCh, initCh, fill in {
  lookup!(\`rho:rchain:asiVault\`, *contractCh) |
  for (@(_, ASIVault) <- contractCh) {
    @ASIVault!("init", *initCh) |
    for (TreeHashMap, @vaults, initVault, initContinue <- initCh) {
      contract fill(@wallets) = {
        match wallets {
          [(address, balance), ...others] => {
            new vault, done in {
              initVault!(*vault, address, balance) |
              TreeHashMap!("set", vaults, address, *vault, *done) |
              for (_ <- done) { fill!(others) }
            }
          }
          _ => { ${isLast ? "Nil" : "initContinue!()"} }
        }
      } |
      match [${pairs}] { wallets => { fill!(wallets) } }
    }
  }
}
`;
}
