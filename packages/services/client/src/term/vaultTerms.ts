import { addressLiteral, amountLiteral } from "./literal.js";
import { type NetworkDialect, systemNames } from "./systemNames.js";

/**
 * Returns the term that queries the balance of an address, to be run as an exploratory deploy: it sends one Int, or one
 * String for an address that the chain refuses.
 *
 * @spec 41 §10.1
 * @throws {TermError} `badAddress`
 */
export function balanceTerm(address: string, dialect: NetworkDialect): string {
  const { vaults } = systemNames[dialect];
  return `new return, rl(\`rho:registry:lookup\`), ASIVaultCh, vaultCh in {
  rl!(\`${vaults}\`, *ASIVaultCh) |
  for (@(_, ASIVault) <- ASIVaultCh) {
    @ASIVault!("findOrCreate", ${addressLiteral("address", address)}, *vaultCh) |
    for (@either <- vaultCh) {
      match either {
        (true, vault) => { @vault!("balance", *return) }
        (false, err) => { return!(err) }
      }
    }
  }
}`;
}

/**
 * Moves money between vaults; what became of it is printed on the standard output of the nodes.
 *
 * Indexers find transfers by the text of this term, so its words and their order stay as they are.
 *
 * @spec 41 §10.2
 * @param amount in the smallest unit
 * @throws {TermError} `badAddress`, `badAmount`
 */
export function transferTerm(from: string, to: string, amount: bigint, dialect: NetworkDialect): string {
  const money = amountLiteral("amount", amount);
  return transfer({
    ...systemNames[dialect],
    urns: ["stdout(`rho:io:stdout`)"],
    from: addressLiteral("sender", from),
    to: addressLiteral("recipient", to),
    money,
    result: `match result {
        (true, Nil) => { stdout!(("Transfer successful:", ${money}, "ASI")) }
        (false, reason) => { stdout!(("Transfer failed:", reason)) }
      }`,
    senderFault: 'stdout!(("Sender vault error:", errorMsg))',
    recipientFault: 'stdout!(("Destination vault error:", errorMsg))',
  });
}

/**
 * Moves money between vaults; what became of it lies at the deploy's id, where {@link readOutcome} understands it.
 *
 * @spec 41 §10.2
 * @param amount in the smallest unit
 * @throws {TermError} `badAddress`, `badAmount`
 */
export function transferWithResultTerm(from: string, to: string, amount: bigint, dialect: NetworkDialect): string {
  return transfer({
    ...systemNames[dialect],
    urns: ["deployId(`rho:rchain:deployId`)"],
    from: addressLiteral("sender", from),
    to: addressLiteral("recipient", to),
    money: amountLiteral("amount", amount),
    result: "deployId!(result)",
    senderFault: 'deployId!(("error", "Sender vault error", errorMsg))',
    recipientFault: 'deployId!(("error", "Recipient vault error", errorMsg))',
  });
}

interface TransferText {
  readonly vaults: string;
  readonly urns: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly money: string;
  readonly result: string;
  readonly senderFault: string;
  readonly recipientFault: string;
}

function transfer({ vaults, urns, from, to, money, result, senderFault, recipientFault }: TransferText): string {
  const names = ["deployerId(`rho:rchain:deployerId`)", ...urns, "rl(`rho:registry:lookup`)"];
  return `new ${names.join(", ")},
    ASIVaultCh, vaultCh, toVaultCh, asiVaultkeyCh, resultCh in {
  rl!(\`${vaults}\`, *ASIVaultCh) |
  for (@(_, ASIVault) <- ASIVaultCh) {
    @ASIVault!("findOrCreate", ${from}, *vaultCh) |
    @ASIVault!("findOrCreate", ${to}, *toVaultCh) |
    @ASIVault!("deployerAuthKey", *deployerId, *asiVaultkeyCh) |
    for (@(true, vault) <- vaultCh; key <- asiVaultkeyCh; @(true, toVault) <- toVaultCh) {
      @vault!("transfer", ${to}, ${money}, *key, *resultCh) |
      for (@result <- resultCh) {
        ${result}
      }
    } |
    for (@(false, errorMsg) <- vaultCh) { ${senderFault} } |
    for (@(false, errorMsg) <- toVaultCh) { ${recipientFault} }
  }
}`;
}
