import { isIP, SocketAddress } from "node:net";

const mappedBeginning = "::ffff:";

/** One address in the one form that all its forms have in common; `undefined` for what is no address. */
export function plainAddress(text: string): string | undefined {
  switch (isIP(text)) {
    case 4:
      return text;
    case 6: {
      // The system's own printing: no leading zeros, no zone.
      const { address } = new SocketAddress({ address: text, family: "ipv6" });
      const bare = address.startsWith(mappedBeginning) ? address.slice(mappedBeginning.length) : address;
      return bare.includes(".") && isIP(bare) === 4 ? bare : address;
    }
    default:
      return undefined;
  }
}

/** An address, or all that begin as it does. */
export interface AddressRange {
  readonly address: string;
  /** Bits that count. */
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
}

/**
 * Reads `10.0.0.0/8`, `2001:db8::/32` or a single address.
 *
 * @returns `undefined` for any other text, and for a range of all addresses (`/0`)
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [, given = "", length] = /^([\d.a-fA-F:]{1,45})(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = plainAddress(given);
  if (address === undefined) return undefined;
  const [family, most] = isIP(address) === 4 ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
  // An IPv4 address that was written as one of IPv6 has 96 bits before it.
  const before = family === "ipv4" && given.includes(":") ? 96 : 0;
  const bits = length === undefined ? most : Number(length) - before;
  return bits >= 1 && bits <= most ? { address, bits, family } : undefined;
}
