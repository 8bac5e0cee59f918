import { addressKey, isOwnMachine } from "@vedette/network";

/** Whom a request or a socket is counted for; `undefined` for who has no limits. */
export function countedFor(
  address: string | undefined,
  { limitsOwnMachine }: { readonly limitsOwnMachine: boolean },
): string | undefined {
  if (address === undefined || (!limitsOwnMachine && isOwnMachine(address))) return undefined;
  return addressKey(address);
}
