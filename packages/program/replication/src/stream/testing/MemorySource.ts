import type { SourceMessage, StreamBounds, StreamSource } from "../follow/StreamSource.js";
import { StreamError } from "../StreamError.js";
import type { MemoryPort } from "./MemoryPort.js";

/** Reads what is in a {@link MemoryPort}, and does to it what a test wants. */
export class MemorySource implements StreamSource {
  readonly label = "memory";
  readonly #port: MemoryPort;
  /** Sequence of the oldest message that is kept. */
  first = 1;
  /** The change of a message on its way. */
  change: (messages: SourceMessage[]) => SourceMessage[] = (messages) => messages;
  /** Called before each message that is given. */
  before: (message: SourceMessage) => void = () => {};

  constructor(port: MemoryPort) {
    this.#port = port;
  }

  async open(): Promise<StreamBounds> {
    await this.#port.open();
    const { dropped, messages, id: stream } = this.#port;
    const newest = this.#followed().at(-1)?.sequence ?? 0;
    const first = Math.max(this.first, dropped + 1);
    return { stream, first, last: dropped + messages.size, newest, newestMs: undefined };
  }

  /** Ends when there is no more, as a server does that goes away. */
  async *read(from: number, signal: AbortSignal): AsyncGenerator<SourceMessage> {
    const kept = this.#followed().filter(({ sequence }) => sequence >= from);
    const last = kept.length - 1;
    const messages = this.change(
      kept.map((one, at) => ({ ...one, delivery: at + 1, pending: last - at, storedMs: 0 })),
    );
    for (const message of messages) {
      if (signal.aborted) return;
      this.before(message);
      yield { ...message, bytes: message.bytes.slice() };
    }
    if (!signal.aborted) throw new StreamError({ code: "unusable", server: this.label, reason: endOfMessages });
  }

  subscribe(pattern: string, take: (subject: string, bytes: Uint8Array) => void): void {
    this.#port.listeners.push((subject, bytes) => {
      if (subject.startsWith(pattern.slice(0, -1))) take(subject, bytes);
    });
  }

  async find(subject: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#port.find(subject);
    return (await this.sequenceOf(subject)) === undefined ? undefined : bytes;
  }

  async sequenceOf(subject: string): Promise<number | undefined> {
    const sequence = await this.#port.sequenceOf(subject);
    return sequence === undefined || sequence < this.first ? undefined : sequence;
  }

  async subjects(pattern: string): Promise<readonly string[]> {
    // Ends with a wildcard, of one part or of all that follow.
    const beginning = pattern.slice(0, -1);
    return [...this.#port.messages.keys(), ...this.#port.announced].filter(
      (subject) =>
        subject.startsWith(beginning) && (pattern.endsWith(">") || !subject.slice(beginning.length).includes(".")),
    );
  }

  #followed() {
    const all = [...this.#port.messages].map(([subject, bytes], at) => ({
      ...{ sequence: this.#port.dropped + at + 1, subject, bytes },
    }));
    return all.filter(({ subject }) => !/\.(part|said)\./.test(subject));
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** The source's message when all was read. */
export const endOfMessages = "all was read";
