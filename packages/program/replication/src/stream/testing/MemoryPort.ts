import { StreamError } from "../StreamError.js";
import type { PublishedStream, StreamPort } from "../StreamPort.js";

/** A stream in memory; a test may stop its server. */
export class MemoryPort implements StreamPort {
  readonly label = "memory";
  readonly messages = new Map<string, Uint8Array>();
  /** Subjects of announcements that are not among the messages. */
  readonly announced = new Set<string>();
  readonly listeners: ((subject: string, bytes: Uint8Array) => void)[] = [];
  maxBytes = 1 << 20;
  id = "first";
  keptMs = Number.POSITIVE_INFINITY;
  /** Number of messages that were removed. */
  dropped = 0;
  /** Called before each piece of work; its exception is the server's error. */
  before: (what: string) => void = () => {};

  async open(): Promise<string> {
    this.#try("open");
    return this.id;
  }

  async look(): Promise<PublishedStream> {
    this.#try("look");
    return { id: this.id, first: this.dropped + 1, keptMs: this.keptMs };
  }

  /** Removes the oldest messages, as a server does on a purge. */
  purge(count = this.messages.size): void {
    for (const subject of [...this.messages.keys()].slice(0, count)) this.messages.delete(subject);
    this.dropped += count;
  }

  async publish(subject: string, bytes: Uint8Array): Promise<boolean> {
    this.#try(`publish ${subject}`);
    if (bytes.length > this.maxBytes) throw new TypeError("the message is too long");
    if (this.messages.has(subject)) return false;
    this.messages.set(subject, bytes.slice());
    return true;
  }

  announce(subject: string, bytes: Uint8Array): void {
    this.#try(`announce ${subject}`);
    this.announced.add(subject);
    for (const listener of this.listeners) listener(subject, bytes);
  }

  async find(subject: string): Promise<Uint8Array | undefined> {
    this.#try(`find ${subject}`);
    return this.messages.get(subject);
  }

  async sequenceOf(subject: string): Promise<number | undefined> {
    this.#try(`find ${subject}`);
    const at = [...this.messages.keys()].indexOf(subject);
    return at < 0 ? undefined : this.dropped + at + 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #try(what: string): void {
    try {
      this.before(what);
    } catch (cause) {
      throw new StreamError({ code: "unusable", server: this.label, reason: String(cause) }, { cause });
    }
  }
}
