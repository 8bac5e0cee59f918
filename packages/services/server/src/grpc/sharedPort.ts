import type { Server as HttpServer } from "node:http";
import type { Http2Server } from "node:http2";
import { createServer, type Server, type Socket } from "node:net";
import type { TrustedProxies } from "@vedette/config";
import { type ConnectionLimiter, UnupgradedSocket } from "@vedette/network";

/** The first bytes of HTTP/2; no method of HTTP/1.1 that is served begins so. */
const http2Beginning = Buffer.from("PRI");

/** The servers behind one port, which do not listen themselves. */
export interface SharedPortOptions {
  readonly http2: Http2Server;
  readonly http1: HttpServer;
  /** Connections that have not shown their protocol. */
  readonly undecided: ConnectionLimiter<UnupgradedSocket>;
  /** How long a connection may send nothing. */
  readonly firstBytesMs: number;
  /** Proxies with connections of many clients. */
  readonly proxies: TrustedProxies;
}

/**
 * A port for clients of gRPC, which speak HTTP/2, and for browsers, which without TLS speak HTTP/1.1: the first bytes
 * of a connection decide which server gets it.
 *
 * @spec 50 §3.1
 */
export function sharedPort({ http2, http1, undecided, firstBytesMs, proxies }: SharedPortOptions): Server {
  // As HTTP servers that listen themselves do: the end of a short answer must not wait for an acknowledgement.
  return createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => {});
    const held = new UnupgradedSocket(socket, !proxies.has(socket.remoteAddress));
    if (undecided.take(held) !== undefined) {
      socket.destroy();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), firstBytesMs).unref();
    const forget = () => {
      clearTimeout(timer);
      undecided.leave(held);
    };
    socket.once("close", forget);
    whenDecided(socket, (isHttp2) => {
      forget();
      (isHttp2 ? http2 : http1).emit("connection", socket);
    });
  });
}

/** Reads until it is certain what a connection speaks, and puts back what was read. */
function whenDecided(socket: Socket, decided: (isHttp2: boolean) => void): void {
  let read = Buffer.alloc(0);
  const look = () => {
    const piece = socket.read() as Buffer | null;
    if (piece === null) return;
    read = Buffer.concat([read, piece]);
    const length = Math.min(read.length, http2Beginning.length);
    const mayBeHttp2 = read.subarray(0, length).equals(http2Beginning.subarray(0, length));
    if (mayBeHttp2 && read.length < http2Beginning.length) return;
    socket.off("readable", look);
    socket.off("end", ended);
    socket.unshift(read);
    decided(mayBeHttp2);
  };
  const ended = () => socket.destroy();
  socket.on("readable", look);
  socket.once("end", ended);
}
