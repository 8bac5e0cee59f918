import { withoutPasswords } from "@vedette/errors";
import { ClientError } from "../failure/ClientError.js";
import { isTransient } from "../failure/isTransient.js";
import { pause } from "../wait/pause.js";
import { retryDefaults, retryPauseOf } from "../wait/retryPause.js";
import { SeenBlock } from "../wait/SeenBlock.js";
import { Attempt } from "./Attempt.js";
import { type HttpAnswer, readAnswer } from "./HttpAnswer.js";
import { refusalOf } from "./httpFailure.js";

/** The addresses of nodes, and the options of requests. */
export interface HttpOptions {
  /**
   * `http://host:40403`; if there are several, the next gets the request when one fails. `http://user:password@host`
   * logs in; no message repeats that. Redirects to another address are not followed.
   */
  readonly url: string | readonly string[];
  /** The longest that one try may take; 30 s unless given. */
  readonly timeoutMs?: number;
  /** How often a repeatable request is sent to all nodes again, after a pause; 2 unless given. */
  readonly retries?: number;
  /** The first pause, which doubles each time; 250 ms unless given. */
  readonly retryPauseMs?: number;
  /** The largest answer that is read; 64 MiB unless given. */
  readonly maxAnswerBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends every call. */
  readonly signal?: AbortSignal;
  /** Replaces the platform's own. */
  readonly fetch?: typeof fetch;
}

/** The options of a call that may differ from its connection. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A request, before it is known which node it goes to. */
export interface HttpRequest {
  /** For messages. */
  readonly call: string;
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string } | undefined;
  /** Whether the request may reach a node twice: it only reads, or doing it twice is doing it once. */
  readonly isRepeatable: boolean;
  /** Whether later reads are to see what this writes. */
  readonly isWrite?: boolean | undefined;
}

/** An answer that has begun. */
export interface OpenAnswer {
  readonly url: string;
  readonly body: ReadableStream<Uint8Array>;
  /** Gives the connection up. */
  end(): void;
}

const defaults = { ...retryDefaults, timeoutMs: 30_000, maxAnswerBytes: 67_108_864 };

/**
 * Sends requests to one of several nodes, first to the one that answered last. A repeatable call goes on to the next if
 * a node is out of reach, too slow, overloaded or has not joined its network, and from the start after a pause.
 *
 * @spec 50 §1
 */
export class HttpConnection {
  /** Without what logs in. */
  readonly urls: readonly string[];
  readonly options: HttpOptions;
  /** By URL: how to log in there. */
  readonly #logins = new Map<string, string>();
  /** The newest block seen, behind which reads must not go back. */
  readonly seen = new SeenBlock();
  #preferred = 0;

  /** @throws {ClientError} `badArgument` where a URL is none */
  constructor(options: HttpOptions) {
    this.options = options;
    const urls = typeof options.url === "string" ? [options.url] : options.url;
    this.urls = urls.map((text) => {
      const { url, login } = baseUrl(text);
      if (login !== undefined) this.#logins.set(url, login);
      return url;
    });
    if (this.urls.length === 0)
      throw new ClientError({ code: "badArgument", call: "The node", argument: "url", reason: "is an empty list" });
  }

  /** The node that gets requests first. */
  get url(): string {
    return this.urls[this.#preferred]!;
  }

  /** From now on the next node gets requests first. */
  preferNext(): void {
    this.#preferred = (this.#preferred + 1) % this.urls.length;
  }

  /** @throws {ClientError} @returns an answer with status 200 */
  async ask(request: HttpRequest, options: CallOptions = {}): Promise<HttpAnswer> {
    const { retries = defaults.retries, retryPauseMs = defaults.retryPauseMs } = this.options;
    const rounds = request.isRepeatable ? retries + 1 : 1;
    const tries = rounds * (request.isRepeatable ? this.urls.length : 1);
    for (let done = 1; ; done += 1) {
      const { answer, failure } = await this.#try(request, options);
      if (failure === undefined) return answer;
      if (done === tries || !isTransient(failure)) throw failure;
      this.preferNext();
      if (done % this.urls.length !== 0) continue;
      const pauseMs = retryPauseOf(done / this.urls.length, retryPauseMs, answer?.retryAfterMs);
      await this.#pause(request.call, pauseMs, options);
    }
  }

  /**
   * Opens an answer that is read while it comes, until a signal ends it; the time limit is for its beginning.
   *
   * @throws {ClientError}
   */
  async open(request: HttpRequest, signal: AbortSignal): Promise<OpenAnswer> {
    const { url } = this;
    const { call } = request;
    const attempt = new Attempt(this.#limits({}), [signal, this.options.signal]);
    try {
      const response = await this.#fetch(request, url, attempt.signal);
      requireAnswer(response, call, url);
      if (response.status === 200 && response.body !== null) {
        attempt.stopClock();
        return { url, body: response.body, end: () => attempt.abort() };
      }
      const { maxAnswerBytes: maxBytes = defaults.maxAnswerBytes } = this.options;
      const answer = await readAnswer(response, { url, call, maxBytes });
      throw answer.status === 200
        ? new ClientError({ code: "notUnderstood", address: url, call, reason: "the answer is empty" })
        : refusalOf(call, answer);
    } catch (error) {
      attempt.end();
      throw attempt.failureOf(error, call, url);
    }
  }

  async #try(
    request: HttpRequest,
    options: CallOptions,
  ): Promise<
    | { readonly answer: HttpAnswer; readonly failure?: undefined }
    | { readonly answer: HttpAnswer | undefined; readonly failure: ClientError }
  > {
    const { url } = this;
    const { call } = request;
    const { maxAnswerBytes: maxBytes = defaults.maxAnswerBytes } = this.options;
    // No `using`: not every browser has what it needs.
    const attempt = new Attempt(this.#limits(options), [options.signal, this.options.signal]);
    try {
      const response = await this.#fetch(request, url, attempt.signal);
      requireAnswer(response, call, url);
      if (request.isWrite === true && response.ok) this.seen.begin();
      this.seen.answered(response.headers.get("vedette-block"));
      const answer = await readAnswer(response, { url, call, maxBytes });
      return answer.status === 200 ? { answer } : { answer, failure: refusalOf(call, answer) };
    } catch (error) {
      return { answer: undefined, failure: attempt.failureOf(error, call, url) };
    } finally {
      attempt.end();
    }
  }

  #fetch(request: HttpRequest, url: string, signal: AbortSignal): Promise<Response> {
    const { method, path, body, isRepeatable, isWrite } = request;
    const ask = this.options.fetch ?? fetch;
    const least = isRepeatable && isWrite !== true ? this.seen.least() : undefined;
    const login = this.#logins.get(url);
    const headers = {
      ...(login === undefined ? {} : { authorization: login }),
      ...(least === undefined ? {} : { "vedette-min-block": String(least) }),
      ...this.options.headers,
      ...(body === undefined ? {} : { "content-type": body.type }),
    };
    return ask(url + path, {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body === undefined ? {} : { body: body.text }),
    });
  }

  #limits({ timeoutMs }: CallOptions): number {
    return timeoutMs ?? this.options.timeoutMs ?? defaults.timeoutMs;
  }

  async #pause(call: string, ms: number, { signal }: CallOptions): Promise<void> {
    const ends = new Attempt(undefined, [signal, this.options.signal]);
    await pause(ms, ends.signal);
    ends.end();
    if (ends.signal.aborted) throw new ClientError({ code: "cancelled", call });
  }
}

/** Refuses redirects: following one would reveal keys, deploys and queries to another host. */
function requireAnswer({ type, status, headers }: Response, call: string, address: string): void {
  if (type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(status)) return;
  const to = headers.get("location");
  const where = to === null ? "another address" : withoutPasswords(to.slice(0, longestShown));
  throw new ClientError({
    ...{ code: "notUnderstood", address, call },
    reason: `it sends the call on to ${where}, which is not followed; give that address where you trust it`,
  });
}

const longestShown = 100;

function baseUrl(text: string): LoginApart {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (isUsable) return loginApart(text);
  throw new ClientError({
    ...{ code: "badArgument", call: "The node", argument: "url" },
    reason: `"${withoutPasswords(text).slice(0, longestShown)}" is none; expected http://host:40403`,
  });
}

/** An address, and how to log in there. */
export interface LoginApart {
  readonly url: string;
  /** The value of `authorization`. */
  readonly login: string | undefined;
}

/** Takes `user:password@` out of an address: `fetch` refuses it, and messages must not repeat it. */
export function loginApart(text: string): LoginApart {
  return { url: withoutPasswords(text).replace(/\/+$/, ""), login: loginOf(new URL(text)) };
}

/** RFC 7617. */
function loginOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
