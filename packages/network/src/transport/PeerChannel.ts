import http2 from "node:http2";
import tls from "node:tls";
import { endLater } from "../grpc/endLater.js";
import { NetworkError } from "../NetworkError.js";
import type { Peer } from "../Peer.js";
import { certifiedPeerOf } from "./verifyPeer.js";

/** What all channels of a node share. @spec 10 §3.1, §3.5 */
export interface ChannelOptions {
  readonly secureContext: tls.SecureContext;
  readonly connectMs: number;
  /** A channel without any call is closed after this time. */
  readonly idleMs: number;
  readonly nowMs: () => number;
}

const firstPauseMs = 500;
const longestPauseMs = 8000;
const windowBytes = 262_144;

/**
 * The one connection to a peer: opened on demand, opened anew after it broke.
 *
 * The peer is checked before anything is said to it. After a failure calls fail at once for a while that grows, as
 * a peer that is away would otherwise cost a connection attempt per message.
 *
 * @spec 10 §3.1, §3.5
 */
export class PeerChannel {
  readonly #peer: Peer;
  readonly #options: ChannelOptions;
  #opening: Promise<http2.ClientHttp2Session> | undefined;
  #session: http2.ClientHttp2Session | undefined;
  #socket: tls.TLSSocket | undefined;
  #pauseMs = 0;
  #pausedUntilMs = 0;
  #closed = false;

  constructor(peer: Peer, options: ChannelOptions) {
    this.#peer = peer;
    this.#options = options;
  }

  /** @throws {NetworkError} `unavailable`, `badCertificate`, `closed` */
  async session(): Promise<http2.ClientHttp2Session> {
    if (this.#closed) throw new NetworkError({ code: "closed" });
    const open = this.#session;
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    if (this.#opening === undefined) {
      if (this.#options.nowMs() < this.#pausedUntilMs) {
        throw new NetworkError({ code: "unavailable", reason: "the last attempt failed a moment ago" });
      }
      this.#opening = this.#open().finally(() => {
        this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  /** Closes the connection; every call that is under way fails. */
  close(): void {
    this.#closed = true;
    const session = this.#session;
    const socket = this.#socket;
    endLater(() => {
      session?.destroy();
      socket?.destroy();
    });
  }

  async #open(): Promise<http2.ClientHttp2Session> {
    try {
      const socket = await this.#connect();
      const session = await this.#startHttp2(socket);
      this.#pauseMs = 0;
      return session;
    } catch (error) {
      this.#pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * this.#pauseMs));
      this.#pausedUntilMs = this.#options.nowMs() + this.#pauseMs;
      throw error;
    }
  }

  #connect(): Promise<tls.TLSSocket> {
    return new Promise((resolve, reject) => {
      const { host, protocolPort: port, id } = this.#peer;
      const socket = tls.connect({
        host,
        port,
        servername: id,
        secureContext: this.#options.secureContext,
        ALPNProtocols: ["h2"],
        rejectUnauthorized: false,
        checkServerIdentity: () => undefined,
      });
      this.#socket = socket;
      const fail = (error: NetworkError) => {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
      };
      const unavailable = (reason: string) => fail(new NetworkError({ code: "unavailable", reason }));
      const timer = setTimeout(() => unavailable("connection timed out"), this.#options.connectMs);
      socket.on("error", (error: NodeJS.ErrnoException) => unavailable(error.code ?? error.message));
      socket.once("close", () => unavailable("connection closed"));
      socket.once("secureConnect", () => {
        const peer = certifiedPeerOf(socket);
        if ("problem" in peer) return fail(new NetworkError({ code: "badCertificate", reason: peer.problem }));
        if (peer.id !== id) {
          const reason = `Certificate belongs to node ${peer.id}, not to ${id}`;
          return fail(new NetworkError({ code: "badCertificate", reason }));
        }
        if (socket.alpnProtocol !== "h2") return unavailable("peer does not speak HTTP/2");
        clearTimeout(timer);
        resolve(socket);
      });
    });
  }

  #startHttp2(socket: tls.TLSSocket): Promise<http2.ClientHttp2Session> {
    const session = http2.connect(`https://${this.#peer.id}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes, maxHeaderListSize: 16_384 },
      maxSessionMemory: 10,
      maxHeaderListPairs: 64,
    });
    session.on("error", () => {});
    session.once("goaway", () => session.close());
    session.once("close", () => {
      if (this.#session === session) this.#session = undefined;
    });
    session.setTimeout(this.#options.idleMs, () => session.close());
    return new Promise((resolve, reject) => {
      const closed = () => reject(new NetworkError({ code: "unavailable", reason: "connection closed" }));
      session.once("close", closed);
      // A server that dislikes our certificate tells it only after its side of the handshake: wait for its settings.
      const timer = setTimeout(() => session.destroy(), this.#options.connectMs);
      session.once("remoteSettings", () => {
        clearTimeout(timer);
        session.off("close", closed);
        this.#session = session;
        resolve(session);
      });
      session.once("close", () => clearTimeout(timer));
    });
  }
}
