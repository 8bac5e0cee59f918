import { ClientError } from "../failure/ClientError.js";
import { unreachable } from "./httpFailure.js";

/** One try: it ends when its time is over, or when a caller aborts it. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #callers: readonly AbortSignal[];
  readonly #timeoutMs: number | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isTooLate = false;
  readonly #end = () => this.#controller.abort();

  constructor(timeoutMs: number | undefined, callers: readonly (AbortSignal | undefined)[]) {
    this.#timeoutMs = timeoutMs;
    this.#callers = callers.filter((caller) => caller !== undefined);
    for (const caller of this.#callers) {
      if (caller.aborted) this.#end();
      else caller.addEventListener("abort", this.#end, { once: true });
    }
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.#isTooLate = true;
      this.#end();
    }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the request, whatever it is doing. */
  abort(): void {
    this.end();
    this.#end();
  }

  stopClock(): void {
    clearTimeout(this.#timer);
  }

  failureOf(error: unknown, call: string, address: string): ClientError {
    if (error instanceof ClientError) return error;
    if (this.#callers.some((caller) => caller.aborted))
      return new ClientError({ code: "cancelled", call }, { cause: error });
    if (this.#isTooLate) return new ClientError({ code: "timedOut", address, call, timeoutMs: this.#timeoutMs! });
    return unreachable(address, error);
  }

  /** Stops the clock and no longer listens to the callers' signals. */
  end(): void {
    this.stopClock();
    for (const caller of this.#callers) caller.removeEventListener("abort", this.#end);
  }
}
