import { setTimeout as sleep } from "node:timers/promises";
import type { MessageShape } from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { DeployNotes, DeployService, ProposeService, type ServiceErrorSchema } from "@vedette/api/grpc";
import { ClientError } from "../failure/ClientError.js";
import { callFailure, isRefusedStream } from "./callFailure.js";
import { Http2Connection } from "./Http2Connection.js";

/** Where a node is, and how long it may take. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
  /** The longest that one call may take. */
  readonly timeoutMs?: number;
  /** The largest message that is read. */
  readonly maxMessageBytes?: number;
  /** Ends every call. */
  readonly signal?: AbortSignal;
}

const defaultTimeoutMs = 30_000;
/** @spec 50 §5.6 */
const defaultMessageBytes = 16_777_216;
// A term's message has three levels for each of its own.
const deepestMessage = 1_000;
const mostStreamElements = 100_000;
/** Before each further try of a call that the node has not begun with: it closes an old connection, or has much to do. */
const retryWaitsMs = [20, 200, 1_000];

/** Every answer is an error or a value. @spec 50 §3.3 */
export type Answer = {
  readonly message:
    | { readonly case: "error"; readonly value: MessageShape<typeof ServiceErrorSchema> }
    | { readonly case: string; readonly value: unknown }
    | { readonly case: undefined };
};

/** What an answer holds when it is no error. */
export type ValueOf<A extends Answer> =
  Exclude<A["message"], { case: "error" } | { case: undefined }> extends {
    value: infer V;
  }
    ? V
    : never;

/** Options of a single call, as the gRPC library takes them. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

/** One connection to a node's gRPC port, plaintext HTTP/2. @spec 50 §3.1, §3.2 */
export class GrpcChannel {
  readonly address: string;
  readonly deploys: Client<typeof DeployService>;
  readonly proposals: Client<typeof ProposeService>;
  readonly notes: Client<typeof DeployNotes>;
  readonly #connection: Http2Connection;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;

  constructor({ host, port, timeoutMs, maxMessageBytes, signal }: NodeAddress) {
    const authority = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
    this.address = `${authority}:${port}`;
    const baseUrl = `http://${this.address}`;
    this.#timeoutMs = timeoutMs ?? defaultTimeoutMs;
    this.#signal = signal;
    this.#connection = new Http2Connection(baseUrl);
    const transport: Transport = createGrpcTransport({
      baseUrl,
      sessionManager: this.#connection,
      readMaxBytes: maxMessageBytes ?? defaultMessageBytes,
      binaryOptions: { recursionLimit: deepestMessage },
    });
    this.deploys = createClient(DeployService, transport);
    this.proposals = createClient(ProposeService, transport);
    this.notes = createClient(DeployNotes, transport);
  }

  /** A call with one answer. @throws {ClientError} */
  async ask<A extends Answer>(
    call: string,
    run: (options: CallOptions) => Promise<A>,
    timeoutMs?: number,
  ): Promise<ValueOf<A>> {
    const options = this.#options(timeoutMs);
    return await this.#whenTaken(call, options, async () => this.#valueOf(call, await run(options)));
  }

  /** A call whose answer comes in parts. @throws {ClientError} */
  async askAll<A extends Answer>(call: string, run: (options: CallOptions) => AsyncIterable<A>): Promise<ValueOf<A>[]> {
    const options = this.#options(undefined);
    return await this.#whenTaken(call, options, async () => {
      const values: ValueOf<A>[] = [];
      for await (const answer of run(options)) {
        if (values.length === mostStreamElements)
          throw this.#notUnderstood(call, `more than ${mostStreamElements} parts`);
        values.push(this.#valueOf(call, answer));
      }
      return values;
    });
  }

  /** Makes a call again that the node has not begun with. */
  async #whenTaken<Value>(call: string, options: CallOptions, ask: () => Promise<Value>): Promise<Value> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        const waitMs = isRefusedStream(error) ? retryWaitsMs[tries] : undefined;
        if (waitMs === undefined) throw this.#failure(error, call, options);
        // Where the caller ends it meanwhile, the next try says so.
        await sleep(waitMs, undefined, { signal: options.signal }).catch(() => undefined);
      }
    }
  }

  /** Closes the connection; an open one would keep the process alive. */
  close(): void {
    this.#connection.close();
  }

  #options(timeoutMs: number | undefined): CallOptions {
    const limit = timeoutMs ?? this.#timeoutMs;
    return this.#signal === undefined ? { timeoutMs: limit } : { timeoutMs: limit, signal: this.#signal };
  }

  #valueOf<A extends Answer>(call: string, { message }: A): ValueOf<A> {
    if (message.case === undefined) throw this.#notUnderstood(call, "the answer is empty");
    if (message.case === "error") {
      const { messages } = message.value as MessageShape<typeof ServiceErrorSchema>;
      throw new ClientError({ code: "refused", call, messages });
    }
    return message.value as ValueOf<A>;
  }

  #failure(error: unknown, call: string, { timeoutMs }: CallOptions): ClientError {
    return callFailure(error, {
      address: this.address,
      call,
      timeoutMs,
      isInterrupted: this.#signal?.aborted === true,
    });
  }

  #notUnderstood(call: string, reason: string): ClientError {
    return new ClientError({ code: "notUnderstood", address: this.address, call, reason });
  }
}
