import type { Accounts } from "@vedette/queries";

const longestMs = 60_000;

/** Has a history go on until it has every block. @throws TypeError when it does not come to it */
export async function completeIndex(accounts: Accounts): Promise<void> {
  const ended = new AbortController();
  const running = accounts.run(ended.signal);
  const untilMs = performance.now() + longestMs;
  while (!accounts.queries.facts().isComplete && performance.now() < untilMs)
    await new Promise((resolve) => setImmediate(resolve));
  ended.abort();
  await running;
  if (!accounts.queries.facts().isComplete) throw new TypeError("the index does not become complete");
}
