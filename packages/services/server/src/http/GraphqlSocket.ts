import type { WebSocket } from "@fastify/websocket";
import {
  type Asker,
  errorsOf,
  type GraphqlReply,
  type GraphqlRequest,
  type LiveQueries,
  tooManySubscriptions,
} from "@vedette/indexer";
import { Problem } from "@vedette/queries";
import { requestOf } from "./graphqlRequest.js";
import type { AnswerReader, UnsentAnswers } from "./UnsentAnswers.js";

/** Codes with which the protocol graphql-transport-ws ends a connection. */
const closeCodes = {
  badMessage: 4400,
  unauthorized: 4401,
  initTimeout: 4408,
  duplicate: 4409,
  tooMany: 4429,
  goingAway: 1001,
} as const;

const initMs = 10_000;
const maxOperations = 50;
/** Beyond this, a client does not read what is sent to it. */
const maxUnsentBytes = 8 << 20;

interface Message {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly payload?: unknown;
}

/** The sources of a client's answers. */
export interface SocketAnswers {
  readonly live: LiveQueries;
  readonly unsent: UnsentAnswers;
  /** The client that it is counted for. */
  readonly client: string | undefined;
  readonly answer: (request: GraphqlRequest, asker: Asker) => Promise<GraphqlReply>;
}

/** One client of the protocol graphql-transport-ws. @spec 60 §4 */
export class GraphqlSocket implements AnswerReader {
  readonly #socket: WebSocket;
  readonly #answers: SocketAnswers;
  /** Operations that run, and how each is ended. */
  readonly #operations = new Map<string, () => void>();
  #isReady = false;

  constructor(socket: WebSocket, answers: SocketAnswers) {
    this.#socket = socket;
    this.#answers = answers;
    const timer = setTimeout(() => this.#end("initTimeout", "Connection initialisation timeout"), initMs);
    socket.on("message", (data: Buffer) => {
      clearTimeout(timer);
      this.#onMessage(data);
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clearTimeout(timer);
      for (const end of this.#operations.values()) end();
      this.#operations.clear();
      answers.unsent.leave(this);
    });
  }

  /** A code would wait behind what the client does not read. */
  cutOff(): void {
    this.#socket.terminate();
  }

  /** The server stops. */
  close(): void {
    this.#end("goingAway", "The node is stopping");
  }

  #onMessage(data: Buffer): void {
    const message = messageOf(data);
    switch (message?.type) {
      case "connection_init":
        this.#isReady = true;
        this.#send(`{"type":"connection_ack"}`);
        break;
      case "ping":
        this.#send(`{"type":"pong"}`);
        break;
      case "pong":
        break;
      case "subscribe":
        this.#subscribe(message);
        break;
      case "complete":
        this.#complete(String(message.id));
        break;
      default:
        this.#end("badMessage", "Invalid message");
    }
  }

  #subscribe({ id, payload }: Message): void {
    if (!this.#isReady) this.#end("unauthorized", "Unauthorized");
    else if (typeof id !== "string" || id === "" || id.length > 100) this.#end("badMessage", "Invalid id");
    else if (this.#operations.has(id)) this.#end("duplicate", `Subscriber for ${id} already exists`);
    else if (this.#operations.size >= maxOperations) this.#end("tooMany", "Too many operations");
    else {
      const left = new AbortController();
      this.#operations.set(id, () => left.abort());
      void this.#run(id, payload, left.signal);
    }
  }

  /** Answers a query once, and a subscription until it is ended. */
  async #run(id: string, payload: unknown, signal: AbortSignal): Promise<void> {
    try {
      const request = requestOf(payload, "payload");
      const { bytes, isRefused, operation } = await this.#answers.answer(request, {
        signal,
        client: this.#answers.client,
      });
      if (signal.aborted) return;
      if (isRefused) this.#refuse(id, errorsOf(bytes));
      else if (operation === "subscription") this.#follow(id, request);
      else {
        this.#next(id, bytes);
        this.#operations.delete(id);
        this.#send(`{"type":"complete","id":${JSON.stringify(id)}}`);
      }
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Problem ? error.message : "The index does not answer now; try again later.";
      this.#refuse(id, JSON.stringify([{ message }]));
    }
  }

  #follow(id: string, request: GraphqlRequest): void {
    const end = this.#answers.live.add(request, {
      client: this.#answers.client,
      next: (answer) => this.#next(id, answer),
      refused: (errors) => this.#refuse(id, errors),
    });
    if (end === undefined) this.#refuse(id, tooManySubscriptions);
    else this.#operations.set(id, end);
  }

  #complete(id: string): void {
    this.#operations.get(id)?.();
    this.#operations.delete(id);
  }

  /** Sends in three pieces, so that all receivers of an answer share its bytes. */
  #next(id: string, answer: Uint8Array): void {
    if (!this.#isOpen()) return;
    const { unsent } = this.#answers;
    unsent.sending(answer, this);
    // It may have been the slowest itself.
    if (!this.#isOpen()) return;
    this.#socket.send(`{"type":"next","id":${JSON.stringify(id)},"payload":`, { fin: false });
    this.#socket.send(answer, { fin: false, binary: false });
    this.#socket.send("}", { fin: true }, () => unsent.sent(answer, this));
  }

  #refuse(id: string, errors: string): void {
    this.#complete(id);
    this.#send(`{"type":"error","id":${JSON.stringify(id)},"payload":${errors}}`);
  }

  #send(text: string): void {
    if (this.#isOpen()) this.#socket.send(text);
  }

  #isOpen(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.#socket.bufferedAmount <= maxUnsentBytes) return true;
    this.cutOff();
    return false;
  }

  #end(code: keyof typeof closeCodes, reason: string): void {
    this.#socket.close(closeCodes[code], reason);
  }
}

/** `undefined` for what is no JSON object. */
function messageOf(data: Buffer): Message | undefined {
  try {
    return JSON.parse(data.toString()) as Message;
  } catch {
    return undefined;
  }
}
