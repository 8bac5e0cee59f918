/** An amount as it was typed: in the smallest unit, or in the token of a network, which is known later. */
export type GivenAmount =
  | { readonly units: bigint }
  | { readonly tokens: string; readonly symbol: string; readonly units?: undefined };

/** Reads an amount: `150000000`, or `1.5ASI`. @returns `undefined` where it is none */
export function readAmount(text: string): GivenAmount | undefined {
  if (/^\d{1,19}$/.test(text)) return { units: BigInt(text) };
  const [, tokens, symbol] = /^(\d{1,19}(?:\.\d{1,18})?)\s*(\S{1,64})$/.exec(text) ?? [];
  // A text that continues like a number is a mistyped one, and not a symbol.
  const isNumber = symbol === undefined || /^([\d.,_+-]|e[+-]?\d|x[\da-f]*$)/i.test(symbol);
  return tokens === undefined || isNumber ? undefined : { tokens, symbol };
}
