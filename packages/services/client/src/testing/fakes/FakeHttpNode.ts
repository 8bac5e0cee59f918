import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a fake node was sent. */
export interface FakeRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

/** The answer of a fake node; a function handles the response itself. */
export type FakeAnswer =
  | {
      readonly status?: number;
      readonly type?: string;
      readonly text: string;
      readonly headers?: Record<string, string>;
    }
  | ((response: ServerResponse) => void);

/** An HTTP server on a free port of this machine that answers as a test defines. */
export class FakeHttpNode {
  readonly url: string;
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param answer the answer to each request; a text is JSON with status 200 */
  static async start(answer: (request: FakeRequest) => FakeAnswer | string): Promise<FakeHttpNode> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const node = new FakeHttpNode(server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      void node.#answer(request, response, answer);
    });
    return node;
  }

  /** Cuts every connection without a word. */
  cutConnections(): void {
    this.#server.closeAllConnections();
  }

  /** Cuts every connection and gives the port back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.cutConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    answer: (request: FakeRequest) => FakeAnswer | string,
  ): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url: path = "", headers } = request;
    const taken = { method, path, headers, body: Buffer.concat(parts).toString() };
    this.requests.push(taken);
    const said = answer(taken);
    if (typeof said === "function") return said(response);
    const {
      status = 200,
      type = "application/json",
      text,
      headers: more,
    } = typeof said === "string" ? { text: said } : said;
    response.writeHead(status, { "content-type": type, ...more });
    response.end(text);
  }
}
