import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from "node:http2";

/**
 * The one HTTP/2 connection of a client, opened when it is needed, and anew after it was lost.
 *
 * It replaces the manager of the gRPC library, which stops listening for errors when it gives a connection up. Data
 * from a killed node, or from another program, would then end the process.
 *
 * @spec 50 §3.1
 */
export class Http2Connection {
  readonly authority: string;
  #session: Promise<ClientHttp2Session> | undefined;
  readonly #open = new Set<ClientHttp2Session>();
  #connecting: Promise<ClientHttp2Session> | undefined;
  #isClosed = false;

  /** @param baseUrl `http://host:port` */
  constructor(baseUrl: string) {
    this.authority = new URL(baseUrl).origin;
  }

  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Parameters<ClientHttp2Session["request"]>[1],
  ): Promise<ClientHttp2Stream> {
    const session = await this.#usableSession();
    return session.request({ ...headers, ":method": method, ":path": path }, options);
  }

  /** Does nothing: calls are short, so that the connection has no keep-alive. */
  notifyResponseByteRead(): void {}

  /** Ends every call and the connection. */
  close(): void {
    this.#isClosed = true;
    // A caller may close the client when a call has ended: the session's frames are still being read then.
    setImmediate(() => {
      for (const session of this.#open) session.destroy(undefined, constants.NGHTTP2_CANCEL);
    });
  }

  async #usableSession(): Promise<ClientHttp2Session> {
    const known = await this.#session?.catch(() => undefined);
    if (this.#isClosed) throw new Error("the client is closed");
    // A node that goes away politely closes the connection to new calls first.
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    // Calls made at the same time share the new connection.
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    this.#session = this.#connecting;
    return this.#session;
  }

  #connect(): Promise<ClientHttp2Session> {
    const session = connect(this.authority);
    this.#open.add(session);
    return new Promise((resolve, reject) => {
      // This listener stays until the end. The calls report what fails with the connection.
      session.on("error", reject);
      session.once("connect", () => resolve(session));
      session.once("close", () => {
        this.#open.delete(session);
        reject(new Error("the connection was closed"));
      });
    });
  }
}
