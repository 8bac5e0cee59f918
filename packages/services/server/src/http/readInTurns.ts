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
 * Reads new connections and the bodies of requests in turns. By itself, Node.js reads all data of a socket, up to two
 * megabytes of each in a turn of the event loop: a client with large bodies on many sockets, or with many small parts,
 * could take the whole main thread. With this, reading stops after each read and continues in a later turn; clients
 * take turns. One turn has at most one read of each socket that waited for data, and the first reads of new ones.
 *
 * @param clientOf the client of a socket, or of a request on it; sockets without one count as one client
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
      // It is called after each part; one read may bring thousands.
      if (isWaiting) return;
      isWaiting = true;
      turns.begin(() => {
        isWaiting = false;
        readOn.call(request, size);
      }, client);
    };
    // Without this, Node.js reads bodies by itself that no handler has begun to read before the answer.
    readOn.call(request, 0);
    response.once("finish", () => {
      // The rest of a refused body is not read, not even to discard it.
      if (request.isPaused()) closeWhenRead(socket);
      else request.resume();
    });
  });
}

/** Ends a connection that is not read further. An immediate reset would keep the client from reading the answer. */
function closeWhenRead(socket: Socket): void {
  socket.end();
  const closing = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(closing));
}
