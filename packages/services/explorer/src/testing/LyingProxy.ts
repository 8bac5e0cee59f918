import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

/** Changes the text of an answer; the same text is no lie. */
export type Lie = (path: string, answer: string) => string;

/** A proxy before a node that passes its answers on, and lies where a test requires it. */
export class LyingProxy implements AsyncDisposable {
  /** Where the node is; another one from now on. */
  node: string;
  lie: Lie = (_, answer) => answer;
  /** Paths with answers that never end. */
  endless: RegExp | undefined;
  /** Whether a lie has changed an answer. */
  hasLied = false;
  readonly #server: Server;

  private constructor(node: string) {
    this.node = node;
    this.#server = createServer((asked, answer) => void this.#answer(asked, answer).catch(() => answer.destroy()));
    // Live events come over a WebSocket.
    this.#server.on("upgrade", (asked, socket) => {
      const { hostname, port } = new URL(this.node);
      const to = connect(Number(port), hostname, () => {
        const lines = asked.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? `${name}: ${all[at + 1]}` : []));
        to.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
        to.pipe(socket).pipe(to);
      });
      to.on("error", () => socket.destroy());
      socket.on("error", () => to.destroy());
    });
  }

  static async start(node: string): Promise<LyingProxy> {
    const proxy = new LyingProxy(node);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lies until the next call. */
  begin(lie: Lie): void {
    this.lie = lie;
    this.endless = undefined;
    this.hasLied = false;
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url!;
    if (this.endless?.test(path)) return endlessly(answer);
    const headers = { ...asked.headers, "accept-encoding": "identity", host: new URL(this.node).host };
    const sent = request(new URL(path, this.node), { method: asked.method, headers });
    // A page that is left ends its live events; the node has few for one address.
    answer.once("close", () => sent.destroy());
    asked.pipe(sent);
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    const kind = String(reply.headers["content-type"]);
    if (!kind.includes("application/json")) {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
      return;
    }
    const whole = await text(reply);
    const changed = reply.statusCode === 200 ? this.lie(path, whole) : whole;
    if (changed !== whole) this.hasLied = true;
    // The browser's cache would keep the truth.
    const { etag, ...rest } = reply.headers;
    const length = String(Buffer.byteLength(changed));
    answer.writeHead(reply.statusCode!, { ...rest, "cache-control": "no-store", "content-length": length });
    answer.end(changed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

async function endlessly(answer: ServerResponse): Promise<void> {
  answer.writeHead(200, { "content-type": "application/json" });
  const spaces = new Readable({
    read() {
      this.push(Buffer.alloc(1 << 20, 0x20));
    },
  });
  await pipeline(spaces, answer);
}
