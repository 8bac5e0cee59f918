import { ClientError, type EventStream, HttpClient, type StreamEvent } from "@vedette/client";
import { SeededNumbers } from "@vedette/devtools/devnet";
import { errorText } from "@vedette/errors";

/** The contents of events, as numbers, so that many followers can keep all of them. */
export class EventContents {
  readonly #numbers = new Map<string, number>();
  readonly #events: StreamEvent[] = [];

  /** Returns the number of an event's content, at any place. */
  numberOf(event: StreamEvent): number {
    const { cursor: _, ...content } = event;
    const text = JSON.stringify(content, (_name, value) => (typeof value === "bigint" ? `${value}n` : value));
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#events.push(event) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  /** Returns one of the events with this content. */
  event(number: number): StreamEvent {
    return this.#events[number]!;
  }
}

/** An event that a follower received. */
export interface FollowedEvent {
  readonly cursor: string;
  /** The number of its content. */
  readonly content: number;
  /** When it came, by `performance.now()`. */
  readonly atMs: number;
}

/** Where and what a follower follows. */
export interface FollowerOptions {
  readonly url: string;
  readonly contents: EventContents;
  /** Where it begins. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** After at most this many events it leaves, and comes back with its cursor alone; default: never. */
  readonly leavesAfter?: { readonly most: number; readonly seed: number };
}

/** Follows events of whichever member a name gives, by the client's stream, and keeps what it received. */
export class EventFollower {
  readonly received: FollowedEvent[] = [];
  /** How often a connection was lost. */
  lost = 0;
  /** How often it left by itself. */
  left = 0;
  /** Why it gave up. */
  failure: string | undefined;
  readonly done: Promise<void>;
  readonly #options: FollowerOptions;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.done = this.#run().catch((error: unknown) => {
      const cause = error instanceof ClientError ? ` (${error.failure.code})` : "";
      this.failure = `${errorText(error)}${cause}`;
    });
  }

  get cursor(): string | undefined {
    return this.received.at(-1)?.cursor;
  }

  async #run(): Promise<void> {
    const { after, signal, leavesAfter } = this.#options;
    const numbers = new SeededNumbers(leavesAfter?.seed ?? 0);
    let cursor = after;
    while (!signal.aborted) {
      const most = leavesAfter === undefined ? Number.POSITIVE_INFINITY : 1 + numbers.below(leavesAfter.most);
      cursor = await this.#follow(cursor, most);
      this.left += 1;
    }
  }

  /** @returns its position after this many events */
  async #follow(after: string, most: number): Promise<string> {
    const { url, contents } = this.#options;
    const stream: EventStream = new HttpClient({ url }).events({
      ...{ after, signal: this.#options.signal, retryPauseMs: 100, giveUpAfterMs: Number.POSITIVE_INFINITY },
      onDisconnect: () => {
        this.lost += 1;
      },
    });
    let left = most;
    for await (const event of stream) {
      this.received.push({ cursor: event.cursor, content: contents.numberOf(event), atMs: performance.now() });
      left -= 1;
      if (left <= 0) break;
    }
    return stream.cursor ?? after;
  }
}
