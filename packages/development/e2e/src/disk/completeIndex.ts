import { Accounts } from "@vedette/queries";
import { until } from "@vedette/testing";

/**
 * Has a history go on until it has every block that the chain has.
 *
 * @throws TypeError with the reason of the first failure; Error when it does not come to it
 */
export async function completeIndex(sources: ConstructorParameters<typeof Accounts>[0]): Promise<void> {
  const ended = new AbortController();
  let failure: string | undefined;
  const accounts = new Accounts({
    ...sources,
    emit(event) {
      if (event.type === "accountsFailed") failure ??= event.reason;
    },
  });
  const running = accounts.run(ended.signal);
  try {
    await until("a history of every block", () => {
      if (failure !== undefined) throw new TypeError(`the history is not written: ${failure}`);
      const { done, total } = accounts.queries.facts();
      return done === total;
    });
  } finally {
    ended.abort();
    await running;
  }
}
