/** The defaults for how often, and after which first pause, a repeatable request is repeated. */
export const retryDefaults = { retries: 2, retryPauseMs: 250 };

const longestPauseMs = 10_000;

/**
 * How long to wait before a further try.
 *
 * @param round 1 before the second try
 * @param firstMs the first pause, which doubles each time
 * @param minMs the pause that the node requires
 */
export function retryPauseOf(round: number, firstMs: number, minMs = 0): number {
  // Clients that failed together come back apart.
  const pauseMs = firstMs * 2 ** (round - 1) * (0.5 + Math.random() / 2);
  return Math.min(Math.max(pauseMs, minMs), longestPauseMs);
}
