import { checkVaultAddress, fromHex, vaultAddressOfEthAddress, vaultAddressOfPublicKey } from "@vedette/client";

/** The account that a page's address names. */
export interface AccountName {
  readonly address: string;
  /** Known where the key itself was given. */
  readonly publicKey: string | undefined;
}

/** An account by its vault's address, its public key, or its address on Ethereum; `undefined` for anything else. */
export function accountOf(text: string): AccountName | undefined {
  const hex = /^(?:0x)?([0-9a-fA-F]+)$/.exec(text)?.[1]?.toLowerCase();
  if (hex?.length === 40) return named(vaultAddressOfEthAddress(hex));
  if (hex?.length === 130) return named(vaultAddressOfPublicKey(fromHex(hex)), hex);
  return checkVaultAddress(text) === undefined ? { address: text, publicKey: undefined } : undefined;
}

function named(address: string | undefined, publicKey?: string): AccountName | undefined {
  return address === undefined ? undefined : { address, publicKey };
}

/** The condition of the index for deploys of an account; undefined where the text names none. @param text left out: all */
export function conditionOfDeployer(text: string | undefined): object[] | undefined {
  if (text === undefined) return [];
  const address = accountOf(text)?.address;
  return address === undefined ? undefined : [{ deployer_address: { _eq: address } }];
}

/** The fault of a filter with a deployer that is no account. */
export const wrongDeployer = "The deployer is neither an address nor a public key. Check whether all of it was copied.";
