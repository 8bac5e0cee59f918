/** Whether an address is this machine's own. */
export function isOwnMachine(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

/** The key of clients that share a limit: an IPv4 address, or the 64 bits of an IPv6 network. @spec 50 §1.12 */
export function addressKey(address: string): string {
  const bare = address.startsWith("::ffff:") ? address.slice(7) : address;
  if (!bare.includes(":")) return bare;
  const [head = "", tail] = bare.split("::") as [string, string | undefined];
  const first = head === "" ? [] : head.split(":");
  if (tail === undefined) return first.slice(0, 4).join(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = new Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}
