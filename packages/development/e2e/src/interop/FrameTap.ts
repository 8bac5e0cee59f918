import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

const prefaceBytes = 24;
const headBytes = 9;
const dataFrame = 0;
const headersFrame = 1;
const pingFrame = 6;
const goawayFrame = 7;
const acknowledged = 1;

/** A port through which clients reach a server, and which sees the HTTP/2 frames that pass. */
export class FrameTap implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  port = 0;
  connections = 0;
  /** The number of clients' pings. */
  pings = 0;
  /**
   * The most of them that the server took on one connection without sending HEADERS or DATA meanwhile: by what it
   * acknowledged, since a PING that passes here may still be under way when the server sends.
   */
  longestRun = 0;
  /** Reasons that the server gave for ending a connection, where it gave one. */
  readonly goaways: string[] = [];

  private constructor(target: number) {
    this.#server = createServer((client) => {
      this.connections += 1;
      let run = 0;
      let unacknowledged = 0;
      const server = connect(target, "127.0.0.1");
      const fromClient = new Frames(prefaceBytes, (type, flags) => {
        if (type !== pingFrame || flags === acknowledged) return;
        this.pings += 1;
        unacknowledged += 1;
      });
      const took = (count: number) => {
        unacknowledged -= count;
        run += count;
        this.longestRun = Math.max(this.longestRun, run);
      };
      const fromServer = new Frames(0, (type, flags, payload) => {
        if (type === dataFrame || type === headersFrame) run = 0;
        if (type === pingFrame && flags === acknowledged) took(1);
        if (type === goawayFrame) took(unacknowledged);
        if (type === goawayFrame && payload.length > 8) this.goaways.push(payload.subarray(8).toString());
      });
      client.on("data", (bytes) => fromClient.read(bytes));
      server.on("data", (bytes) => fromServer.read(bytes));
      this.#join(client, server);
    });
  }

  static async before(target: number): Promise<FrameTap> {
    const tap = new FrameTap(target);
    await new Promise<void>((resolve) => tap.#server.listen(0, "127.0.0.1", resolve));
    tap.port = (tap.#server.address() as AddressInfo).port;
    return tap;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, server: Socket): void {
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}

/** Reads frames as their bytes come. */
class Frames {
  #rest = Buffer.alloc(0);
  #skip: number;
  readonly #onFrame: (type: number, flags: number, payload: Buffer) => void;

  constructor(skip: number, onFrame: (type: number, flags: number, payload: Buffer) => void) {
    this.#skip = skip;
    this.#onFrame = onFrame;
  }

  read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (this.#rest.length < this.#skip) return;
    this.#rest = this.#rest.subarray(this.#skip);
    this.#skip = 0;
    while (this.#rest.length >= headBytes) {
      const end = headBytes + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) return;
      this.#onFrame(this.#rest[3]!, this.#rest[4]!, this.#rest.subarray(headBytes, end));
      this.#rest = this.#rest.subarray(end);
    }
  }
}
