import { createConnection, type Socket } from "node:net";
import type { LoadResult, RequestPlan } from "./LoadPlan.js";
import { quantile } from "./Measurements.js";

const headEnd = "\r\n\r\n";
/** A client that is refused does not repeat the request at once. */
const pauseMs = 20;

/** Sends requests over plain sockets, as cheaply as can be: the machine is the node's too. */
export class RequestLoad {
  readonly #plan: RequestPlan;
  readonly #request: Buffer;
  readonly #clients: Client[] = [];
  readonly #times: number[] = [];
  /** Since when there is load; `undefined` during a pause. */
  #begunMs: number | undefined = performance.now();
  #loadedMs = 0;
  #failed = 0;
  #isEnding = false;

  constructor(plan: RequestPlan) {
    this.#plan = plan;
    this.#request = requestOf(plan);
    for (let index = 0; index < plan.clients; index += 1) this.#clients.push(this.#client());
  }

  /** Sends nothing until it goes on; answers under way still count. */
  pause(): void {
    if (this.#begunMs !== undefined) this.#loadedMs += performance.now() - this.#begunMs;
    this.#begunMs = undefined;
    for (const client of this.#clients) client.isPaused = true;
  }

  goOn(): void {
    this.#begunMs ??= performance.now();
    for (const client of this.#clients) client.goOn();
  }

  end(): LoadResult {
    this.pause();
    const seconds = this.#loadedMs / 1000;
    this.#isEnding = true;
    for (const client of this.#clients) client.close();
    const times = this.#times;
    return { seconds, done: times.length, failed: this.#failed, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  }

  #client(): Client {
    return new Client(this.#plan.port, this.#request, (status, milliseconds) => {
      if (this.#isEnding) return;
      if (status === 200) this.#times.push(milliseconds);
      else this.#failed += 1;
    });
  }
}

/** One connection, with one request under way at a time. */
class Client {
  readonly #port: number;
  readonly #request: Buffer;
  readonly #onAnswer: (status: number, milliseconds: number) => void;
  #socket: Socket | undefined;
  #sentMs = 0;
  #status = 0;
  /** Bytes of the answer's body that are still to come; `undefined` before its head is complete. */
  #left: number | undefined;
  #head: Buffer | undefined;
  #isClosed = false;
  isPaused = false;
  #isIdle = false;

  constructor(port: number, request: Buffer, onAnswer: (status: number, milliseconds: number) => void) {
    this.#port = port;
    this.#request = request;
    this.#onAnswer = onAnswer;
    this.#connect();
  }

  goOn(): void {
    this.isPaused = false;
    if (this.#isIdle) this.#send();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.destroy();
  }

  #connect(): void {
    const socket = createConnection({ host: "127.0.0.1", port: this.#port, noDelay: true });
    this.#socket = socket;
    this.#left = undefined;
    this.#head = undefined;
    socket.on("connect", () => this.#send());
    socket.on("data", (piece) => this.#take(piece));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (this.#isClosed) return;
      this.#onAnswer(0, 0);
      setTimeout(() => this.#isClosed || this.#connect(), pauseMs);
    });
  }

  #send(): void {
    this.#isIdle = this.isPaused;
    if (this.#isIdle) return;
    this.#sentMs = performance.now();
    this.#socket?.write(this.#request);
  }

  #take(given: Buffer): void {
    let piece = given;
    if (this.#left === undefined) {
      if (this.#head !== undefined) piece = Buffer.concat([this.#head, given]);
      const end = piece.indexOf(headEnd);
      if (end < 0) {
        this.#head = piece;
        return;
      }
      this.#head = undefined;
      this.#status = Number(piece.toString("latin1", 9, 12));
      const length = /content-length: (\d+)/i.exec(piece.toString("latin1", 0, end))?.[1];
      this.#left = Number(length ?? 0);
      piece = piece.subarray(end + headEnd.length);
    }
    this.#left -= piece.length;
    if (this.#left > 0) return;
    this.#left = undefined;
    this.#onAnswer(this.#status, performance.now() - this.#sentMs);
    if (this.#isClosed) return;
    if (this.#status === 200) this.#send();
    else setTimeout(() => this.#isClosed || this.#send(), pauseMs);
  }
}

function requestOf({ method, path, body }: RequestPlan): Buffer {
  const content =
    body === undefined ? "" : `content-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${content}\r\n${body ?? ""}`);
}
