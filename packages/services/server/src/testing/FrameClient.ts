import { connect, type Socket } from "node:net";

/** Kinds of HTTP/2 frames. */
export const frameType = { data: 0, headers: 1, settings: 4, ping: 6, goaway: 7 } as const;

/** A frame as it came. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

const endStream = 1;
const endHeaders = 4;
const acknowledged = 1;
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/**
 * A client of HTTP/2 that sends the frames it is given, and keeps what comes.
 *
 * That of Node.js gives its calls up at the first GOAWAY with an error, which others do not.
 */
export class FrameClient {
  readonly frames: Frame[] = [];
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  #rest = Buffer.alloc(0);

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("error", () => {});
    this.#socket.on("data", (bytes) => this.#read(bytes));
    this.closed = new Promise((resolve) => this.#socket.once("close", () => resolve()));
    this.#socket.write(preface);
    this.send(frameType.settings, 0, 0, Buffer.alloc(0));
  }

  send(type: number, flags: number, stream: number, payload: Uint8Array): void {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    this.#socket.write(Buffer.concat([head, payload]));
  }

  /** Sends a unary call's whole request. @param message with its prefix */
  call(stream: number, path: string, message: Uint8Array): void {
    const headers = { ":method": "POST", ":scheme": "http", ":authority": "node", ":path": path, te: "trailers" };
    const all = Object.entries({ ...headers, "content-type": "application/grpc" });
    this.send(frameType.headers, endHeaders, stream, Buffer.concat(all.map(([name, value]) => literal(name, value))));
    this.send(frameType.data, endStream, stream, message);
  }

  /** Sends a ping and waits until it is acknowledged, or until the connection is closed. */
  async ping(): Promise<void> {
    this.send(frameType.ping, 0, 0, Buffer.alloc(8));
    await this.until(({ type, flags }) => type === frameType.ping && flags === acknowledged);
    this.frames.splice(0, this.frames.length, ...this.frames.filter(({ type }) => type !== frameType.ping));
  }

  /** Waits for a frame, or for the end of the connection. */
  async until(isIt: (frame: Frame) => boolean): Promise<void> {
    while (!this.frames.some(isIt) && !this.#socket.closed)
      await Promise.race([new Promise((resolve) => this.#socket.once("data", resolve)), this.closed]);
  }

  /** All DATA that came, on whichever stream. */
  data(): Buffer {
    return Buffer.concat(this.frames.filter(({ type }) => type === frameType.data).map(({ payload }) => payload));
  }

  #read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= 9) {
      const end = 9 + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) return;
      this.frames.push({ type: this.#rest[3]!, flags: this.#rest[4]!, payload: this.#rest.subarray(9, end) });
      this.#rest = this.#rest.subarray(end);
    }
  }
}

/** A header that is written out, without any table. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}
