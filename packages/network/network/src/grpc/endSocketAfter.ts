import type { ClientHttp2Session } from "node:http2";
import type { Socket } from "node:net";

const lookMs = 1_000;
const endMs = 2_000;

/**
 * Destroys the socket of a session soon after the session has ended: Node.js itself waits for the other end to close,
 * without bound.
 */
export function endSocketAfter(session: ClientHttp2Session, socket: Socket): void {
  let endedMs = 0;
  const looking = setInterval(() => {
    if (session.destroyed) endedMs += lookMs;
    if (endedMs >= endMs) socket.destroy();
  }, lookMs).unref();
  socket.once("close", () => clearInterval(looking));
}
