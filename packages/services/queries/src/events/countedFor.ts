import { addressKey, isOwnMachine } from "@vedette/network";

/** Returns the client address that a request or socket is counted for; `undefined` for a client without limits. */
export function countedFor(
  address: string | undefined,
  { limitsOwnMachine }: { readonly limitsOwnMachine: boolean },
): string | undefined {
  if (address === undefined || (!limitsOwnMachine && isOwnMachine(address))) return undefined;
  return addressKey(address);
}
