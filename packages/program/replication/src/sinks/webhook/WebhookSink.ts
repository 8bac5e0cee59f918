import { createHmac } from "node:crypto";
import { errorText, withoutPasswords } from "@vedette/errors";
import type { Sink, SinkEvent } from "../Sink.js";
import { SinkError } from "../SinkError.js";

/** A receiver of webhooks. */
export interface WebhookOptions {
  readonly url: string;
  /** Calls are signed by each. */
  readonly keys: readonly Uint8Array[];
  /** Keys with events under way at once; 8 unless given. */
  readonly maxConcurrent?: number;
  /** 15 s unless given. */
  readonly timeoutMs?: number;
  readonly nowMs?: () => number;
}

const usualTimeoutMs = 15_000;
const usualAtOnce = 8;

/**
 * Calls a URL for each event, signed as Standard Webhooks has it: `webhook-id`, `webhook-timestamp` (seconds) and
 * `webhook-signature`, the Base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`.
 *
 * An answer with a status from 200 to 299 takes the event; 410 means that no more are wanted; anything else,
 * redirections too, is a failure that may pass.
 */
export class WebhookSink implements Sink {
  readonly label: string;
  readonly maxTotal = 1;
  readonly maxConcurrent: number;
  readonly #options: WebhookOptions;

  constructor(options: WebhookOptions) {
    this.#options = options;
    const { host, pathname } = new URL(options.url);
    this.label = `${host}${pathname}`;
    this.maxConcurrent = options.maxConcurrent ?? usualAtOnce;
  }

  async open(): Promise<void> {}

  async deliver(events: readonly SinkEvent[], signal: AbortSignal): Promise<void> {
    for (const event of events) await this.#call(event, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #call({ id, body }: SinkEvent, signal: AbortSignal): Promise<void> {
    const { url, timeoutMs = usualTimeoutMs, nowMs = Date.now } = this.#options;
    const seconds = Math.floor(nowMs() / 1_000).toString();
    const ended = new AbortController();
    const end = () => ended.abort();
    const late = setTimeout(() => ended.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal.addEventListener("abort", end, { once: true });
    try {
      const answer = await fetch(url, {
        ...{ method: "POST", body, redirect: "manual", signal: ended.signal },
        headers: {
          "content-type": "application/json",
          "user-agent": "vedette",
          "webhook-id": id,
          "webhook-timestamp": seconds,
          "webhook-signature": this.#signatures(`${id}.${seconds}.${body}`),
        },
      });
      // The body of the answer is not used, and may be endless.
      await answer.body?.cancel();
      if (answer.ok) return;
      const reason = `status ${answer.status} ${answer.statusText}`.trim();
      throw new SinkError({ code: answer.status === 410 ? "refused" : "notTaken", place: this.label, reason });
    } catch (error) {
      if (error instanceof SinkError) throw error;
      throw new SinkError({ code: "notTaken", place: this.label, reason: reasonOf(error) }, { cause: error });
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", end);
    }
  }

  #signatures(text: string): string {
    return this.#options.keys.map((key) => `v1,${createHmac("sha256", key).update(text).digest("base64")}`).join(" ");
  }
}

/** `fetch` gives the reason of a failed connection in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return withoutPasswords(cause === undefined ? errorText(error) : `${errorText(error)} (${errorText(cause)})`);
}
