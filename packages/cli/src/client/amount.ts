/** 1 ASI in the smallest unit. @spec 41 §10.2 */
const unitsPerAsi = 100_000_000n;
const decimals = 8;

/** Reads an amount: `150000000`, or `1.5ASI`. @returns the smallest unit; `undefined` where it is none */
export function parseAmount(text: string): bigint | undefined {
  if (/^\d{1,19}$/.test(text)) return BigInt(text);
  const [, whole, fraction = ""] = /^(\d{1,11})(?:\.(\d{1,8}))?\s*ASI$/i.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * unitsPerAsi + BigInt(fraction.padEnd(decimals, "0"));
}

/** Prints an amount in both units: `150000000 (1.5 ASI)`. */
export function printAmount(amount: bigint): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return `${amount} (${sign}${digits.slice(0, -decimals)}${fraction === "" ? "" : `.${fraction}`} ASI)`;
}
