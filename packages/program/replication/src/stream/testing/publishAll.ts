import { Publisher, type PublisherOptions } from "../Publisher.js";
import type { PublisherPosition } from "../PublisherCursor.js";
import type { LoggedChain } from "./LoggedChain.js";
import { MemoryPort } from "./MemoryPort.js";

/** Publishes all that a chain's log has. */
export async function publishAll(chain: LoggedChain, change: Partial<PublisherOptions> = {}): Promise<MemoryPort> {
  const controller = new AbortController();
  const port = (change.port as MemoryPort | undefined) ?? new MemoryPort();
  const { blocks, states, log, findOutcome } = chain;
  let noted: PublisherPosition | undefined;
  const publisher = new Publisher({
    ...{ network: "test", publisher: "one", blocks, states, log, findOutcome, pollMs: 1, firstWaitMs: 1 },
    ...change,
    port,
    cursor: {
      read: () => noted,
      write: (place) => {
        noted = place;
        if (place.entry >= (change.log ?? log).newest()) controller.abort();
      },
    },
    emit: change.emit ?? (() => {}),
  });
  await publisher.run(controller.signal);
  return port;
}
