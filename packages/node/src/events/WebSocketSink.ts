import type { WebSocket } from "@fastify/websocket";
import { eventCloseCodes, printJson } from "@vedette/api";
import type { EventSink, StreamMessage } from "./EventSink.js";
import { FloodGuard } from "./FloodGuard.js";
import type { NodeEvent } from "./NodeEvent.js";

/** Bytes that a connection keeps for a reader that is slower than the events. */
export const keptBytes = 128 << 10;
/** Time that the other side usually has to take part in closing. */
export const endMs = 2_000;
/** Probes without a sign of life after which nobody is there. */
const silentProbes = 2;

const asText = { binary: false } as const;

/** A reader at a WebSocket. What it sends is not looked at. */
export class WebSocketSink implements EventSink {
  readonly #socket: WebSocket;
  readonly #flood = new FloodGuard();
  #silence = 0;
  onRoom: () => void = () => {};
  onEnd: () => void = () => {};

  /** @param nowMs monotonic */
  constructor(socket: WebSocket, nowMs: () => number) {
    this.#socket = socket;
    const heard = () => {
      this.#silence = 0;
      if (this.#flood.count(nowMs())) void this.end(eventCloseCodes.tooMuch, "too many frames", endMs);
    };
    socket.on("message", heard).on("ping", heard);
    socket.on("pong", () => {
      this.#silence = 0;
    });
    socket.once("close", () => this.onEnd());
  }

  get isFull(): boolean {
    return this.#socket.bufferedAmount >= keptBytes;
  }

  send(event: NodeEvent): void {
    this.#write(event.message);
  }

  tell(message: StreamMessage): void {
    this.#write(Buffer.from(printJson(message)));
  }

  probe(): void {
    this.#silence += 1;
    if (this.#silence > silentProbes) this.#socket.terminate();
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  end(code: number, reason: string, graceMs: number): Promise<void> {
    // A second call may be less patient.
    return closeSocket(this.#socket, code, reason, graceMs);
  }

  #write(data: Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(data, asText, this.#onWritten);
  }

  readonly #onWritten = (): void => {
    if (this.#socket.bufferedAmount <= keptBytes / 2) this.onRoom();
  };
}

/** Closes a socket, by force when the other side does not answer in time. */
export function closeSocket(socket: WebSocket, code: number, reason: string, graceMs = endMs): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), graceMs);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(code, reason);
  });
}
