/** A decimal number without a fraction, also when it is written with one or with an exponent. @spec 50 §1.6 */
export function integerOf(text: string): bigint | undefined {
  const parts = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = parts;
  const shift = Number(exponent) - fraction.length;
  if (shift > 40) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % scale !== 0n) return undefined;
  const magnitude = shift < 0 ? digits / scale : digits * scale;
  return sign === "-" ? -magnitude : magnitude;
}
