import { fromHex, vaultAddressOfPublicKey } from "@vedette/client";

const known = new Map<string, string>();
/** Keys with cached addresses. */
const maxKnown = 5_000;

/** The address of an account that is named by its public key or by its address: what both have in common. */
export function addressOfAccount(name: string): string {
  if (!/^04[0-9a-f]{128}$/.test(name)) return name;
  let address = known.get(name);
  if (address === undefined) {
    address = vaultAddressOfPublicKey(fromHex(name)) ?? name;
    if (known.size >= maxKnown) known.clear();
    known.set(name, address);
  }
  return address;
}
