import { amountNames, deployStatusRoute, type EventKind, type JsonValue, printJson } from "@vedette/api";
import { ClientError, type DeployStatus } from "@vedette/client";
import { errorText } from "@vedette/errors";
import type { Sink, SinkEvent } from "../Sink.js";
import { SinkError } from "../SinkError.js";

/** Queries the node about a deploy. @throws {ClientError} */
export type DeployLookup = (
  deployId: string,
  signal: AbortSignal,
) => Promise<Pick<DeployStatus, "summary" | "effects">>;

const described: ReadonlySet<string> = new Set<EventKind>([
  "deployIncluded",
  "deployFinalized",
  "deployRejected",
  "deployFailed",
]);
const amounts = amountNames(deployStatusRoute.answer.schema);

/**
 * Adds `summary` and `effects` of `GET /v2/deploy/{id}` to the events of deploys. They describe the deploy at the time
 * of the delivery. An event of a deploy that the node has no more is delivered without them.
 */
export class SummarizedSink implements Sink {
  readonly #sink: Sink;
  readonly #lookUp: DeployLookup;

  constructor(sink: Sink, lookUp: DeployLookup) {
    [this.#sink, this.#lookUp] = [sink, lookUp];
  }

  get label(): string {
    return this.#sink.label;
  }

  get maxTotal(): number {
    return this.#sink.maxTotal;
  }

  get maxConcurrent(): number {
    return this.#sink.maxConcurrent;
  }

  open(): Promise<void> {
    return this.#sink.open();
  }

  async deliver(events: readonly SinkEvent[], signal: AbortSignal): Promise<void> {
    const all: SinkEvent[] = [];
    for (const event of events) all.push(described.has(event.kind) ? await this.#summarized(event, signal) : event);
    await this.#sink.deliver(all, signal);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#sink[Symbol.asyncDispose]();
  }

  async #summarized(event: SinkEvent, signal: AbortSignal): Promise<SinkEvent> {
    const { deployId } = JSON.parse(event.body) as { readonly deployId: string };
    try {
      const { summary, effects } = await this.#lookUp(deployId, signal);
      const added = printJson({ summary, effects } as unknown as JsonValue, amounts);
      return added === "{}" ? event : { ...event, body: `${event.body.slice(0, -1)},${added.slice(1)}` };
    } catch (error) {
      if (error instanceof ClientError && error.failure.code === "refused" && error.failure.status === 404)
        return event;
      throw new SinkError({ code: "notTaken", place: "the node", reason: errorText(error) }, { cause: error });
    }
  }
}
