import type { History } from "../../history/History.js";

const longestMs = 60_000;

/** Has a history go on until it has every block. @throws TypeError when it does not come to it */
export async function completeIndex(history: History): Promise<void> {
  const ended = new AbortController();
  const running = history.run(ended.signal);
  const untilMs = performance.now() + longestMs;
  while (!history.queries.facts().isComplete && performance.now() < untilMs)
    await new Promise((resolve) => setImmediate(resolve));
  ended.abort();
  await running;
  if (!history.queries.facts().isComplete) throw new TypeError("the index does not become complete");
}
