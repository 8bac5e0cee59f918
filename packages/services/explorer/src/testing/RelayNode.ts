import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The answer of a relay in place of its node's: other text, or a refusal. */
export type Changed = string | { readonly status: number; readonly body: string };

/** Hands requests on to a node, and changes its answers: for what a chain in a test has not, and for nodes that go away. */
export class RelayNode implements AsyncDisposable {
  /** Receives the path and the text of an answer. */
  change: (path: string, text: string) => Changed = (_path, text) => text;
  /** Receives the path and the body of a request. */
  ask: (text: string) => string = (text) => text;
  readonly #server: Server;
  #port = 0;

  private constructor(public target: string) {
    this.#server = createServer((request, response) => {
      this.#relay(request, response).catch(() => response.destroy());
    });
  }

  static async start(target: string): Promise<RelayNode> {
    const relay = new RelayNode(target);
    await relay.resume();
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Ends all connections, and refuses others. */
  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Answers again, at the same address. */
  async resume(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    const ended = new AbortController();
    response.on("close", () => ended.abort());
    const { accept = "*/*", "content-type": type = "application/json" } = request.headers;
    const answer = await fetch(this.target + this.ask(path), {
      method: request.method!,
      headers: { accept, ...(request.method !== "GET" && { "content-type": type }) },
      ...(request.method !== "GET" && { body: this.ask(await text(request)) }),
      signal: ended.signal,
      redirect: "manual",
    });
    const headers = [...answer.headers].filter(
      ([name]) => !/^(content-(length|encoding)|transfer-|connection)/.test(name),
    );
    const kind = answer.headers.get("content-type") ?? "";
    if (kind.includes("event-stream")) {
      // Events are changed like answers; what is not JSON text passes.
      response.writeHead(answer.status, Object.fromEntries(headers)).flushHeaders();
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream()))
        response.write(textOf(this.change(path, part)));
      response.end();
      return;
    }
    if (!kind.includes("json")) {
      response.writeHead(answer.status, Object.fromEntries(headers)).end(new Uint8Array(await answer.arrayBuffer()));
      return;
    }
    const changed = this.change(path, await answer.text());
    const status = typeof changed === "string" ? answer.status : changed.status;
    response.writeHead(status, Object.fromEntries(headers)).end(textOf(changed));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop();
  }
}

function textOf(changed: Changed): string {
  return typeof changed === "string" ? changed : changed.body;
}
