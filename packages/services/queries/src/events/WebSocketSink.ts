import type { Socket } from "node:net";
import type { WebSocket } from "@fastify/websocket";
import { eventCloseCodes, printJson } from "@vedette/api";
import type { EventSink, KeptCount, StreamMessage } from "./EventSink.js";
import { FloodGuard } from "./FloodGuard.js";
import { batchOf, type NodeEvent, textFrame } from "./NodeEvent.js";

/** Default time for the other side to confirm the close. */
export const endMs = 2_000;
/** Unanswered probes after which a connection counts as dead. */
const silentProbes = 2;

/**
 * Sends events to a subscriber over a WebSocket. Messages from the subscriber are ignored.
 *
 * Frames for many subscribers are encoded once and written to the connection directly. All other messages are sent
 * uncompressed and in one frame each, so that such frames fit between those of the library.
 */
export class WebSocketSink implements EventSink {
  readonly #socket: WebSocket;
  readonly #connection: Socket;
  readonly #kept: KeptCount;
  readonly #flood = new FloodGuard();
  #silence = 0;
  #isCorked = false;
  onRoom: () => void = () => {};
  onEnd: () => void = () => {};

  /** @param connection the one below the WebSocket @param nowMs monotonic */
  constructor(socket: WebSocket, connection: Socket, nowMs: () => number, kept: KeptCount) {
    this.#socket = socket;
    this.#connection = connection;
    this.#kept = kept;
    const onFrame = () => {
      this.#silence = 0;
      if (this.#flood.count(nowMs())) void this.end(eventCloseCodes.rateLimited, "too many frames", endMs);
    };
    socket.on("message", onFrame).on("ping", onFrame);
    socket.on("pong", () => {
      this.#silence = 0;
    });
    socket.once("close", () => this.onEnd());
    connection.on("drain", () => this.onRoom());
  }

  get keptBytes(): number {
    return this.#connection.writableLength;
  }

  send(event: NodeEvent): void {
    this.#write(event.frame);
  }

  sendAll(events: readonly NodeEvent[]): void {
    this.#write(batchOf(events).frames);
  }

  sendMessage(message: StreamMessage): void {
    this.#write(textFrame(Buffer.from(printJson(message))));
  }

  probe(): void {
    this.#silence += 1;
    if (this.#silence > silentProbes) this.#socket.terminate();
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  end(code: number, reason: string, graceMs: number): Promise<void> {
    return closeSocket(this.#socket, code, reason, graceMs);
  }

  /** Frames that come together go to the system in one call. */
  #write(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#kept.sending(frame);
    if (this.#connection.destroyed) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#connection.cork();
      process.nextTick(this.#uncork);
    }
    this.#connection.write(frame, () => this.#kept.sent(frame));
  }

  readonly #uncork = (): void => {
    this.#isCorked = false;
    this.#connection.uncork();
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
