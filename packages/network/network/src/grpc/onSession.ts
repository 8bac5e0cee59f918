import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/**
 * Hands out each session of a server with its socket: what the session itself gives as such cannot be destroyed.
 *
 * Node.js makes the session of a connection while it emits the event of that connection.
 */
export function onSession(
  server: Http2Server | Http2SecureServer,
  isSecure: boolean,
  accept: (http: ServerHttp2Session, socket: Socket) => void,
): void {
  let arriving: Socket | undefined;
  server.prependListener(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    arriving = socket;
  });
  server.on("session", (http) => {
    if (arriving !== undefined) accept(http, arriving);
  });
}
