import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";

/** Callbacks that run at the end of a connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Aborts when the client goes away: the answer has no reader then. An answer that waits behind another one on its
 * connection has none of its own yet, and gets no event at its end.
 */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { raw: answer } = reply;
  const all = waitingOn(reply.request.raw.socket);
  const leave = () => {
    all.delete(leave);
    if (!answer.writableEnded) controller.abort();
  };
  all.add(leave);
  answer.once("finish", () => all.delete(leave));
  answer.once("close", leave);
  return controller.signal;
}

/** Calls back when an answer was taken, or its client has gone away. */
export function whenOver(reply: FastifyReply, over: () => void): void {
  const all = waitingOn(reply.request.raw.socket);
  const end = () => {
    if (all.delete(end)) over();
  };
  all.add(end);
  reply.raw.once("close", end);
}

/** With one listener, however many requests wait on a connection. */
function waitingOn(socket: Socket): Set<() => void> {
  let all = waiting.get(socket);
  if (all !== undefined) return all;
  all = new Set();
  waiting.set(socket, all);
  socket.once("close", () => {
    for (const leave of all) leave();
  });
  return all;
}
