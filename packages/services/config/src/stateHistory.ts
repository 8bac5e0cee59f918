/** Least number of heights below the last final block with kept states. @spec 40 §6.5 */
export const minHistory = 1_000;

/** The kept states: all, those of a number of heights below the last final block, or as few as the chain needs. */
export type StateHistory = "archive" | "finalized" | `${number}`;

/** @returns `undefined` for a text that is none */
export function parseHistory(text: string): StateHistory | undefined {
  const plain = text.trim().toLowerCase();
  if (plain === "archive" || plain === "finalized") return plain;
  const blocks = /^\d{1,12}$/.test(plain) ? Number(plain) : 0;
  return blocks >= minHistory ? `${blocks}` : undefined;
}

/**
 * Returns the number of heights below the last final block with kept states; `undefined`: all are kept.
 *
 * @param heightThreshold how far above the last final block validators propose
 * @spec 40 §6.5
 */
export function historyWindow(history: StateHistory, heightThreshold: bigint): bigint | undefined {
  if (history === "archive") return undefined;
  const least = heightThreshold > BigInt(minHistory) ? heightThreshold : BigInt(minHistory);
  if (history === "finalized") return least;
  return BigInt(history) > least ? BigInt(history) : least;
}
