import type { ServerResponse } from "node:http";
import { printJson } from "@vedette/api";
import type { EventSink, KeptCount, StreamMessage } from "./EventSink.js";
import { batchOf, type NodeEvent, streamedEvent } from "./NodeEvent.js";

/** A reader of server-sent events; the head of the answer is sent already. */
export class ServerSentSink implements EventSink {
  readonly #response: ServerResponse;
  readonly #kept: KeptCount;
  onRoom: () => void = () => {};
  onEnd: () => void = () => {};

  constructor(response: ServerResponse, kept: KeptCount) {
    this.#response = response;
    this.#kept = kept;
    response.on("drain", () => this.onRoom());
    response.once("close", () => this.onEnd());
  }

  get keptBytes(): number {
    return this.#response.writableLength;
  }

  send(event: NodeEvent): void {
    this.#write(event.streamed);
  }

  sendAll(events: readonly NodeEvent[]): void {
    this.#write(batchOf(events).streamed);
  }

  sendMessage(message: StreamMessage): void {
    this.#write(streamedEvent(message.cursor, message.kind, Buffer.from(printJson(message))));
  }

  /** A connection that is gone is noticed by what is written to it. */
  probe(): void {}

  end(_code: number, _reason: string, graceMs: number): Promise<void> {
    const response = this.#response;
    return new Promise((resolve) => {
      if (response.destroyed || response.closed) {
        resolve();
        return;
      }
      // A second call may be less patient.
      const timer = setTimeout(() => response.destroy(), graceMs);
      response.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      // The connection serves nothing else after this.
      if (!response.writableEnded) response.end(() => response.destroy());
    });
  }

  #write(data: Buffer): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    this.#kept.sending(data);
    if (this.#response.socket?.destroyed === true) return;
    this.#response.write(data, () => this.#kept.sent(data));
  }
}
