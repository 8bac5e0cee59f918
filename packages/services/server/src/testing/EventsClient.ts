import { once } from "node:events";
import { until } from "@vedette/testing";
import { WebSocket } from "ws";

/** A message of a stream of events, as JSON. */
export interface ReceivedEvent {
  readonly kind: string;
  readonly cursor: string;
  readonly [name: string]: unknown;
}

/** Collects messages, and lets a test wait for them. */
class Inbox {
  readonly messages: ReceivedEvent[] = [];
  hasEnded = false;

  take(text: string): void {
    this.messages.push(JSON.parse(text) as ReceivedEvent);
  }

  end(): void {
    this.hasEnded = true;
  }

  /** Waits until the messages are enough. @throws Error when the stream ends first, or nothing comes for long */
  async until(isEnough: (messages: readonly ReceivedEvent[]) => boolean): Promise<readonly ReceivedEvent[]> {
    const look = () => {
      if (isEnough(this.messages)) return true;
      if (this.hasEnded) throw new Error(`the stream has ended after ${JSON.stringify(this.messages.at(-1))}`);
      return false;
    };
    await until("enough events", look, { everyMs: 2, state: () => `${this.messages.length} have come` });
    return this.messages;
  }
}

/** A client of events over a WebSocket. */
export class WebSocketClient extends Inbox implements AsyncDisposable {
  readonly socket: WebSocket;
  closedWith: number | undefined;

  private constructor(socket: WebSocket) {
    super();
    this.socket = socket;
    socket.on("message", (data) => this.take(String(data)));
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      this.closedWith = code;
      this.end();
    });
  }

  /** @throws Error when the upgrade is refused; its text is status and body */
  static async connect(port: number, path: string, options: { readonly isPaused?: boolean } = {}) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    const client = new WebSocketClient(socket);
    const refused = new Promise<never>((_resolve, reject) => {
      socket.once("unexpected-response", (_request, response) => {
        let body = "";
        response.on("data", (chunk) => (body += String(chunk)));
        response.on("end", () => reject(new Error(`${response.statusCode} ${body}`)));
        response.on("error", reject);
      });
    });
    refused.catch(() => undefined);
    await Promise.race([once(socket, "open"), refused]);
    if (options.isPaused === true) socket.pause();
    return client;
  }

  /** Waits for the end. */
  async closed(): Promise<number | undefined> {
    if (!this.hasEnded) await once(this.socket, "close");
    return this.closedWith;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.hasEnded) return;
    const closed = once(this.socket, "close");
    this.socket.terminate();
    await closed;
  }
}

/** A client of server-sent events. */
export class ServerSentClient extends Inbox implements AsyncDisposable {
  readonly #abort = new AbortController();
  readonly ids: string[] = [];
  lastId = "";
  response!: Response;

  /** Connects; a refusal is in `response`. */
  static async connect(port: number, path: string, headers: Record<string, string> = {}): Promise<ServerSentClient> {
    const client = new ServerSentClient();
    client.response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: client.#abort.signal });
    if (client.response.ok) void client.#read().catch(() => client.end());
    return client;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of client(this.response)) {
      rest += decoder.decode(chunk, { stream: true });
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#takeBlock(block.split("\n"));
    }
    this.end();
  }

  #takeBlock(lines: readonly string[]): void {
    const member = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    this.lastId = member("id") ?? this.lastId;
    this.ids.push(this.lastId);
    const data = member("data");
    if (data !== undefined) this.take(data);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
  }
}

function client(response: Response): AsyncIterable<Uint8Array> {
  return response.body as unknown as AsyncIterable<Uint8Array>;
}
