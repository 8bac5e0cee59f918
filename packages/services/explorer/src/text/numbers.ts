import { type NativeToken, printTokens } from "@vedette/client";

const whole = new Intl.NumberFormat("en");

/** `1,234,567`, of any size. */
export function printWhole(value: number | bigint): string {
  return whole.format(value);
}

/** An amount of the smallest unit, in whole coins: `1,234.5`. No digit is lost. */
export function printCoins(amount: bigint, { decimals }: Pick<NativeToken, "decimals">): string {
  const [size = "", rest] = printTokens(amount < 0n ? -amount : amount, decimals).split(".");
  return `${amount < 0n ? "−" : ""}${whole.format(BigInt(size))}${rest === undefined ? "" : `.${rest}`}`;
}

/** `12.3 kB`. */
export function printBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let [value, index] = [bytes / 1_000, 0];
  while (value >= 1_000 && index < units.length - 1) [value, index] = [value / 1_000, index + 1];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[index]}`;
}

/** `2.1 s`, `340 ms`, `5 min`. */
export function printDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s`;
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 129_600_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

/** A part of a whole in percent: `33.3 %`; what is there is not zero: `< 0.1 %`. */
export function printShare(part: bigint, all: bigint): string {
  if (all === 0n) return "–";
  return part > 0n && part * 2_000n < all
    ? "<\u00a00.1\u00a0%"
    : `${(Number((part * 100_000n) / all) / 1_000).toFixed(1)} %`;
}

/** `1 deploy`, `2 deploys`. */
export function printDeployCount(deploys: number): string {
  return `${printWhole(deploys)} ${deploys === 1 ? "deploy" : "deploys"}`;
}

/** Coins on the axis of a chart. */
export function printAmount(coins: number): string {
  return coins.toLocaleString("en", coins < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 4 });
}
