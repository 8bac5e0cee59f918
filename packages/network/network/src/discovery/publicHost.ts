import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";

/** Finds the address of a host name; rejects where there is none. */
export type ResolveHost = (host: string) => Promise<string>;

/** The system's resolver. @spec 10 §5, §6 */
export const resolveHost: ResolveHost = async (host) => (await lookup(host)).address;

const notPublic = new BlockList();
const anyLocal = new BlockList();
for (const [network, bits] of [
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 4],
] as const) {
  notPublic.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  notPublic.addSubnet(network, bits, "ipv6");
}
notPublic.addAddress("::1", "ipv6");
for (const list of [notPublic, anyLocal]) {
  list.addAddress("0.0.0.0", "ipv4");
  list.addAddress("::", "ipv6");
}

/**
 * Whether a peer at this host may be used: its address is public, or private ones are allowed.
 *
 * @spec 10 §5, §6
 */
export async function isUsableHost(host: string, allowPrivate: boolean, resolve: ResolveHost): Promise<boolean> {
  let address: string;
  try {
    address = await resolve(host);
  } catch {
    return false;
  }
  const refused = allowPrivate ? anyLocal : notPublic;
  return !refused.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
