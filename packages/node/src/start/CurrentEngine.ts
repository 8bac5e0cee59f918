import { type Engine, SyncError, systemTimers, type Timers, waitFor } from "@vedette/sync";

/** What does not change by itself: the same configuration comes to the same end. */
const hopeless: ReadonlySet<SyncError["failure"]["code"]> = new Set([
  "roleNotSupported",
  "noBootstrap",
  "ownGenesisRejected",
]);
/** How often is looked whether the node has a chain. */
const lookMs = 100;
/** Pause before a node that could not join tries again. */
const rejoinMs = 30_000;

/** The engine that is at work; another one takes its place when a join has failed. */
export class CurrentEngine {
  readonly #create: () => Engine;
  readonly #timers: Timers;
  value: Engine;

  constructor(create: () => Engine, timers: Timers = systemTimers) {
    this.#timers = timers;
    this.#create = create;
    this.value = create();
  }

  /** Joins and follows until the signal; when that fails and there is hope, again. @param failed is told why */
  async run(failed: (message: string, pauseMs: number) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.value.run(signal);
      } catch (error) {
        if (!(error instanceof SyncError) || hopeless.has(error.failure.code)) throw error;
        failed(error.message, rejoinMs);
        await waitFor(this.#timers, rejoinMs, signal);
        this.value = this.#create();
      }
    }
  }

  /** Resolves when the node has a chain, or at the signal. */
  async running(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.value.status().state !== "running") await waitFor(this.#timers, lookMs, signal);
  }
}
