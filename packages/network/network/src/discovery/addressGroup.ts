import { isIP } from "node:net";

const privateHosts = /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd]|fe[89ab]|::1$|localhost$)/i;

/**
 * The group of addresses that probably belong to one owner: an IPv4 network of 256, an IPv6 network of 48 bits, a
 * domain. Each private address is a group of its own: a network on one machine, or in one cluster, has no others.
 *
 * @spec 10 §5
 */
export function addressGroup(host: string): string {
  if (privateHosts.test(host)) return host;
  if (isIP(host) === 4) return host.slice(0, host.lastIndexOf("."));
  if (isIP(host) !== 6) return host.toLowerCase().split(".").slice(-2).join(".");
  const [head = "", tail] = host.toLowerCase().split("::") as [string, string | undefined];
  const first = head === "" ? [] : head.split(":");
  return [...first, ...(tail === undefined ? [] : ["0", "0", "0"])].slice(0, 3).join(":");
}
