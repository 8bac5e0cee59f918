import type { MessageShape } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { headHeader, minBlockHeader } from "@vedette/api";
import { DeployNotes, DeployService, ProposeService, type ServiceErrorSchema } from "@vedette/api/grpc";
import { ClientError } from "../failure/ClientError.js";
import { isTransient } from "../failure/isTransient.js";
import { pause } from "../wait/pause.js";
import { retryDefaults, retryPauseOf } from "../wait/retryPause.js";
import { SeenBlock } from "../wait/SeenBlock.js";
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
  /** How often a read is repeated that was cut off or cannot be answered just now; 2 unless given. */
  readonly retries?: number;
  /** The first pause before that, which doubles each time; 250 ms unless given. */
  readonly retryPauseMs?: number;
  /** Metadata of every call: `x-api-key`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends every call. */
  readonly signal?: AbortSignal;
}

const defaultTimeoutMs = 30_000;
/** @spec 50 §5.6 */
const defaultMessageBytes = 16_777_216;
// A term's message has three levels for each of its own.
const deepestMessage = 1_000;
const maxStreamElements = 100_000;
/** Before each further try of a call that the node has not begun with: it closes an old connection, or has much to do. */
const refusedWaitsMs = [20, 200, 1_000];

/** Every answer is an error or a value. @spec 50 §3.3 */
export type ServiceAnswer = {
  readonly message:
    | { readonly case: "error"; readonly value: MessageShape<typeof ServiceErrorSchema> }
    | { readonly case: string; readonly value: unknown }
    | { readonly case: undefined };
};

/** The value of an answer that is not an error. */
export type ValueOf<A extends ServiceAnswer> =
  Exclude<A["message"], { case: "error" } | { case: undefined }> extends {
    value: infer V;
  }
    ? V
    : never;

/** Options of a single call, as the gRPC library takes them. */
export interface GrpcCallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

type RunCall<A> = (options: GrpcCallOptions) => Promise<A>;

function sendHeaders(headers: Readonly<Record<string, string>>): Interceptor {
  return (next) => (request) => {
    for (const [name, value] of Object.entries(headers)) request.header.set(name, value);
    return next(request);
  };
}

const writes: ReadonlySet<string> = new Set(["doDeploy", "propose"]);

/** A client that has written something must not get an older answer, from any member of a fleet. @spec 50 §1.16 */
function readsOwnWrites(seen: SeenBlock): Interceptor {
  return (next) => async (request) => {
    const isWrite = writes.has(request.method.name);
    const least = isWrite ? undefined : seen.least();
    if (least !== undefined) request.header.set(minBlockHeader, String(least));
    const response = await next(request);
    if (isWrite) seen.begin();
    seen.answered(response.header.get(headHeader));
    return response;
  };
}

/** One connection to a node's gRPC port, plaintext HTTP/2. @spec 50 §3.1, §3.2 */
export class GrpcChannel {
  readonly address: string;
  readonly deploys: Client<typeof DeployService>;
  readonly proposals: Client<typeof ProposeService>;
  readonly notes: Client<typeof DeployNotes>;
  readonly #connection: Http2Connection;
  readonly #timeoutMs: number;
  readonly #retries: { readonly most: number; readonly pauseMs: number };
  readonly #signal: AbortSignal | undefined;

  constructor(node: NodeAddress) {
    const { host, port, timeoutMs, maxMessageBytes, signal, retries, retryPauseMs, headers } = node;
    this.#retries = { most: retries ?? retryDefaults.retries, pauseMs: retryPauseMs ?? retryDefaults.retryPauseMs };
    const authority = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
    this.address = `${authority}:${port}`;
    const baseUrl = `http://${this.address}`;
    this.#timeoutMs = timeoutMs ?? defaultTimeoutMs;
    this.#signal = signal;
    this.#connection = new Http2Connection(baseUrl);
    const transport: Transport = createGrpcTransport({
      baseUrl,
      sessionManager: this.#connection,
      interceptors: [...(headers === undefined ? [] : [sendHeaders(headers)]), readsOwnWrites(new SeenBlock())],
      readMaxBytes: maxMessageBytes ?? defaultMessageBytes,
      binaryOptions: { recursionLimit: deepestMessage },
    });
    this.deploys = createClient(DeployService, transport);
    this.proposals = createClient(ProposeService, transport);
    this.notes = createClient(DeployNotes, transport);
  }

  /** A read with one answer. @throws {ClientError} */
  ask<A extends ServiceAnswer>(call: string, run: RunCall<A>): Promise<ValueOf<A>> {
    return this.#ask(call, run, { isRepeatable: true });
  }

  /** A call with one answer that must not be made twice. @throws {ClientError} */
  queryOnce<A extends ServiceAnswer>(call: string, run: RunCall<A>, timeoutMs?: number): Promise<ValueOf<A>> {
    return this.#ask(call, run, { isRepeatable: false, timeoutMs });
  }

  /** A read with an answer that comes in parts. @throws {ClientError} */
  queryAll<A extends ServiceAnswer>(
    call: string,
    run: (options: GrpcCallOptions) => AsyncIterable<A>,
  ): Promise<ValueOf<A>[]> {
    const options = this.#options(undefined);
    return this.#withTries(call, options, true, async () => {
      const values: ValueOf<A>[] = [];
      for await (const answer of run(options)) {
        if (values.length === maxStreamElements)
          throw this.#notUnderstood(call, `more than ${maxStreamElements} parts`);
        values.push(this.#valueOf(call, answer));
      }
      return values;
    });
  }

  #ask<A extends ServiceAnswer>(
    call: string,
    run: RunCall<A>,
    { isRepeatable, timeoutMs }: { readonly isRepeatable: boolean; readonly timeoutMs?: number | undefined },
  ): Promise<ValueOf<A>> {
    const options = this.#options(timeoutMs);
    return this.#withTries(call, options, isRepeatable, async () => this.#valueOf(call, await run(options)));
  }

  async #withTries<Value>(
    call: string,
    options: GrpcCallOptions,
    isRepeatable: boolean,
    ask: () => Promise<Value>,
  ): Promise<Value> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        const failure = this.#failure(error, call, options);
        const waitMs = isRefusedStream(error)
          ? refusedWaitsMs[tries - 1]
          : isRepeatable
            ? this.#waitAfter(failure, tries)
            : undefined;
        if (waitMs === undefined) throw failure;
        // If the caller ends it meanwhile, the next try reports that.
        await pause(waitMs, options.signal);
      }
    }
  }

  /** A caller with no time left has none for another try. */
  #waitAfter(failure: ClientError, tries: number): number | undefined {
    const { most, pauseMs } = this.#retries;
    if (tries > most || failure.failure.code === "timedOut" || !isTransient(failure)) return undefined;
    return retryPauseOf(tries, pauseMs);
  }

  /** Closes the connection; an open one would keep the process alive. */
  close(): void {
    this.#connection.close();
  }

  #options(timeoutMs: number | undefined): GrpcCallOptions {
    const limit = timeoutMs ?? this.#timeoutMs;
    return this.#signal === undefined ? { timeoutMs: limit } : { timeoutMs: limit, signal: this.#signal };
  }

  #valueOf<A extends ServiceAnswer>(call: string, { message }: A): ValueOf<A> {
    if (message.case === undefined) throw this.#notUnderstood(call, "the answer is empty");
    if (message.case === "error") {
      const { messages } = message.value as MessageShape<typeof ServiceErrorSchema>;
      throw new ClientError({ code: "refused", call, messages });
    }
    return message.value as ValueOf<A>;
  }

  #failure(error: unknown, call: string, { timeoutMs }: GrpcCallOptions): ClientError {
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
