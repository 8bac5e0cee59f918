import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { TurnQueue } from "../limits/TurnQueue.js";

/** Reads that begin in one turn of the event loop; each is of 64 KiB at most, and is done when data is there. */
const readsPerTurn = 4;
/** How long a client has to read why its body was refused. */
const lingerMs = 1_000;

/** Node.js begins to read a tick after `resume`, also if `pause` was called in between, and does not stop then. */
function stopIfPaused(this: Socket): void {
  if (this.readableFlowing === false) this.emit("pause");
}

/**
 * Has new connections and the bodies of requests read in turns. Node.js reads what a socket has as long as there is
 * some, two megabytes of each socket in a turn of the event loop: who sends large bodies on many sockets, or many small
 * parts, would have the main thread for itself. With this it stops after each read, and goes on in a later turn; clients
 * have turns. In one turn at most one read of each socket that waited for data is done, beside those that begin.
 *
 * @param clientOf the client of a socket, or of a request on it; those without one are one
 */
export function readInTurns(
  server: Server,
  clientOf: (socket: Socket, headers?: IncomingHttpHeaders) => string | undefined,
): void {
  const turns = new TurnQueue(readsPerTurn);
  server.on("connection", (socket: Socket) => {
    socket.pause();
    // A socket is announced again after each offer of another protocol.
    socket.off("resume", stopIfPaused).on("resume", stopIfPaused);
    turns.begin(() => socket.resume(), clientOf(socket));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    const { "content-length": announced, "transfer-encoding": encoding } = headers;
    if (encoding === undefined && (announced === undefined || announced === "0")) return;
    const client = clientOf(socket, headers);
    const { push, _read: readOn } = request;
    // As if its buffer were full.
    request.push = (part, encoding) => {
      push.call(request, part, encoding);
      return false;
    };
    let isWaiting = false;
    request._read = (size) => {
      // It is asked after each part, of which one read may bring thousands.
      if (isWaiting) return;
      isWaiting = true;
      turns.begin(() => {
        isWaiting = false;
        readOn.call(request, size);
      }, client);
    };
    // Bodies that nobody has asked for when they are answered are read by Node.js itself otherwise.
    readOn.call(request, 0);
    response.once("finish", () => {
      // Nobody wants the rest of what was refused, not even to throw it away.
      if (request.isPaused()) closeWhenRead(socket);
      else request.resume();
    });
  });
}

/** Ends a connection of which nothing is read any more. At once, its client would not see the answer for the reset. */
function closeWhenRead(socket: Socket): void {
  socket.end();
  const closing = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(closing));
}
