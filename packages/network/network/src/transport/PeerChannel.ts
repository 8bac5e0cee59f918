import http2 from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { closeOnNextTurn } from "../grpc/closeOnNextTurn.js";
import { NetworkError } from "../NetworkError.js";
import type { Peer } from "../Peer.js";
import { certifiedPeerOf } from "./verifyPeer.js";

/** The parts that all channels of a node share. @spec 10 §3.1, §3.5 */
export interface ChannelOptions {
  readonly secureContext: tls.SecureContext;
  /** A fact of the dialect. */
  readonly commonNameAlwaysCounts: boolean;
  readonly connectMs: number;
  /** A channel without any call is closed after this time. */
  readonly idleMs: number;
  readonly nowMs: () => number;
}

const firstPauseMs = 500;
const longestPauseMs = 8000;
/** Between two attempts for a peer that has called in: a caller may announce a place that is not its own. */
const calledInPauseMs = 250;
/** The window of a call, and of a whole channel: the data in flight while an answer is awaited over a line of 50 ms. */
const windowBytes = 1_048_576;
const sessionWindowBytes = 4_194_304;
/** How often is looked whether a session has ended, and how long after that its socket may stay open. */
const lookMs = 1_000;
const endMs = 2_000;

/**
 * The one connection to a peer: opened on demand, opened anew after it broke.
 *
 * The peer is checked before anything is sent to it. After a failure calls fail at once for a growing pause, as an
 * absent peer would otherwise cost a connection attempt per message. An incoming call of the peer ends the pause.
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
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(peer: Peer, options: ChannelOptions) {
    this.#peer = peer;
    this.#options = options;
  }

  /**
   * @param isAnswer to a message that the peer has just sent: it waits for the end of a pause, cut as by {@link
   * calledIn}, rather than to be refused
   * @throws {NetworkError} `unavailable`, `badCertificate`, `closed`
   */
  async session(isAnswer = false): Promise<http2.ClientHttp2Session> {
    if (this.#closed) throw new NetworkError({ code: "closed" });
    const open = this.#session;
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    if (this.#opening === undefined) {
      if (isAnswer) this.calledIn();
      const leftMs = this.#pauseMs - (this.#options.nowMs() - this.#failedAtMs);
      if (leftMs > 0 && !isAnswer) {
        throw new NetworkError({ code: "unavailable", reason: "the last attempt failed a moment ago" });
      }
      this.#opening = this.#open(Math.min(leftMs, calledInPauseMs)).finally(() => {
        this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  /** The peer has sent a message: another attempt is worth it soon. */
  calledIn(): void {
    this.#pauseMs = Math.min(this.#pauseMs, calledInPauseMs);
  }

  /** Closes the connection; every call that is under way fails. */
  close(): void {
    this.#closed = true;
    const session = this.#session;
    const socket = this.#socket;
    closeOnNextTurn(() => {
      session?.destroy();
      socket?.destroy();
    });
  }

  async #open(afterMs: number): Promise<http2.ClientHttp2Session> {
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    if (this.#closed) throw new NetworkError({ code: "closed" });
    try {
      const socket = await this.#connect();
      const session = await this.#startHttp2(socket);
      this.#pauseMs = 0;
      return session;
    } catch (error) {
      this.#pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * this.#pauseMs));
      this.#failedAtMs = this.#options.nowMs();
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
        // One that is closed still holds some 14 KB, and peers that are gone are remembered for long.
        if (this.#socket === socket) this.#socket = undefined;
        reject(error);
      };
      const unavailable = (reason: string) => fail(new NetworkError({ code: "unavailable", reason }));
      const timer = setTimeout(() => unavailable("connection timed out"), this.#options.connectMs);
      socket.on("error", (error: NodeJS.ErrnoException) => unavailable(error.code ?? error.message));
      socket.once("close", () => unavailable("connection closed"));
      socket.once("secureConnect", () => {
        const peer = certifiedPeerOf(socket, this.#options.commonNameAlwaysCounts);
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
    session.once("connect", () => session.setLocalWindowSize(sessionWindowBytes));
    endSocketAfter(session, socket);
    session.once("goaway", () => session.close());
    session.once("close", () => {
      if (this.#session === session) this.#session = undefined;
    });
    session.setTimeout(this.#options.idleMs, () => session.close());
    return new Promise((resolve, reject) => {
      const closed = () => reject(new NetworkError({ code: "unavailable", reason: "connection closed" }));
      session.once("close", closed);
      // A server that refuses our certificate reports it only after its side of the handshake: wait for its settings.
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

/**
 * Destroys the socket of a session soon after the session has ended: Node.js itself waits for the other end to close,
 * without bound.
 */
function endSocketAfter(session: http2.ClientHttp2Session, socket: tls.TLSSocket): void {
  let endedMs = 0;
  const looking = setInterval(() => {
    if (session.destroyed) endedMs += lookMs;
    if (endedMs >= endMs) socket.destroy();
  }, lookMs).unref();
  socket.once("close", () => clearInterval(looking));
}
