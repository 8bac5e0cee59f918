import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";
import { parseAddressRange, plainAddress } from "./plainAddress.js";

/** The headers in which proxies name their clients. */
export const proxyHeaders = ["x-forwarded-for", "forwarded"] as const;
/** One of them. */
export type ProxyHeader = (typeof proxyHeaders)[number];

/** Most proxies in a row, and most addresses of one header that are read. */
const maxProxies = 16;
/** Most characters of one proxy's entry in a header. */
const longestElement = 512;

/**
 * Reads the client's address from a header of trusted proxies.
 *
 * Only one header is read: a proxy writes one and passes the other on as its client wrote it. Reading begins at the
 * end, which the nearest proxy wrote, and stops at the first address that does not belong to a trusted proxy. The
 * client may have made up all text before that address.
 *
 * @spec 50 §1.12
 */
export class TrustedProxies {
  static readonly none = new TrustedProxies([], "x-forwarded-for");

  readonly #networks = new BlockList();
  readonly #header: ProxyHeader;
  /** Whether there is any. */
  readonly isAny: boolean;

  /** @param networks as `parseAddressRange` reads them */
  constructor(networks: readonly string[], header: ProxyHeader) {
    for (const text of networks) {
      const range = parseAddressRange(text);
      if (range !== undefined) this.#networks.addSubnet(range.address, range.bits, range.family);
    }
    this.isAny = networks.length > 0;
    this.#header = header;
  }

  /** Whether an address is a trusted proxy's. */
  has(address: string | undefined): boolean {
    if (!this.isAny || address === undefined) return false;
    const plain = plainAddress(address);
    return plain !== undefined && this.#networks.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
  }

  /** Returns the client's address. @param peer the address at the other end of the connection */
  clientOf(peer: string | undefined, headers: IncomingHttpHeaders): string | undefined {
    let client = peer;
    let unread = this.isAny ? headers[this.#header] : undefined;
    for (let hops = 0; hops < maxProxies && typeof unread === "string" && this.has(client); hops += 1) {
      const comma: number = unread.lastIndexOf(",");
      const named = this.#addressIn(unread.slice(comma + 1));
      if (named === undefined) break;
      client = named;
      unread = comma < 0 ? undefined : unread.slice(0, comma);
    }
    return client;
  }

  #addressIn(element: string): string | undefined {
    if (element.length > longestElement) return undefined;
    return withoutPort(this.#header === "forwarded" ? forwardedFor(element) : element.trim());
  }
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const pair = new RegExp(`^\\s*(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")\\s*$`);

/** Returns the value of `for` in one element of RFC 7239. */
function forwardedFor(element: string): string {
  let named = "";
  for (const part of element.split(";")) {
    const [, name, bare, quoted] = pair.exec(part) ?? [];
    if (name === undefined) return "";
    if (name.toLowerCase() !== "for") continue;
    if (named !== "") return "";
    named = bare ?? quoted ?? "";
  }
  return named;
}

/** `192.0.2.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`, or an address alone. */
function withoutPort(text: string): string | undefined {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\w+)?|([\d.]+):\w+)$/.exec(text) ?? [];
  return plainAddress(inBrackets ?? beforePort ?? text);
}
