import type { Accounts } from "@vedette/queries";
import { until } from "@vedette/testing";

/** Has a history go on until it has every block that the chain has. @throws Error when it does not come to it */
export async function completeIndex(accounts: Accounts): Promise<void> {
  const ended = new AbortController();
  const running = accounts.run(ended.signal);
  try {
    await until("a history of every block", () => {
      const { done, total } = accounts.queries.facts();
      return done === total;
    });
  } finally {
    ended.abort();
    await running;
  }
}
