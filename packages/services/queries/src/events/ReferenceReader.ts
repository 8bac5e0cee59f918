import type { WebSocket } from "@fastify/websocket";
import { eventCloseCodes } from "@vedette/api";
import type { KeptCount } from "./EventSink.js";
import { FloodGuard } from "./FloodGuard.js";
import { closeSocket } from "./WebSocketSink.js";

/** Frames that wait for a slow client, and their bytes; the oldest are dropped. */
const waitingFrames = 1_000;
const waitingBytes = 16 << 20;
/** Bytes that the connection itself keeps. */
const writtenBytes = 64 << 10;
/** Time after which a connection that takes nothing is ended. */
const stuckMs = 600_000;

const asText = { binary: false } as const;

/** One client of rnode's WebSocket, with the ring of frames that wait for it. @spec 50 §4 */
export class ReferenceReader {
  readonly #socket: WebSocket;
  readonly #nowMs: () => number;
  readonly #kept: KeptCount;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writtenMs: number;

  /** @param nowMs monotonic */
  constructor(socket: WebSocket, nowMs: () => number, kept: KeptCount) {
    this.#socket = socket;
    this.#nowMs = nowMs;
    this.#kept = kept;
    this.#writtenMs = nowMs();
    const flood = new FloodGuard();
    const onFrame = () => {
      if (flood.count(nowMs())) void closeSocket(socket, eventCloseCodes.rateLimited, "too many frames");
    };
    socket.on("message", onFrame).on("ping", onFrame);
  }

  send(frame: Buffer): void {
    if (this.#waiting.length === 0 && this.#socket.bufferedAmount < writtenBytes) {
      this.#write(frame);
      return;
    }
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    while (this.#waiting.length > waitingFrames || this.#waitingBytes > waitingBytes)
      this.#waitingBytes -= this.#waiting.shift()?.length ?? 0;
    if (this.#nowMs() - this.#writtenMs > stuckMs) this.#socket.terminate();
  }

  #write(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#kept.sending(frame);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(frame, asText, () => {
      this.#kept.sent(frame);
      this.#onWritten();
    });
  }

  readonly #onWritten = (): void => {
    this.#writtenMs = this.#nowMs();
    while (this.#waiting.length > 0 && this.#socket.bufferedAmount < writtenBytes) {
      const frame = this.#waiting.shift()!;
      this.#waitingBytes -= frame.length;
      this.#write(frame);
    }
  };
}
