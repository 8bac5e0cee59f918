import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { KeptCount } from "@vedette/queries/events";
import type { onSendHookHandler } from "fastify";
import type { AnswerReader, UnsentAnswers } from "./UnsentAnswers.js";

/** Longer answers are sent in pieces, so that it is seen whether they are read. */
const wholeBytes = 256 << 10;
export const pieceBytes = 128 << 10;

/** Counts every answer of a server until its connection has taken all of it. */
export function holdAnswers(unsent: UnsentAnswers): onSendHookHandler {
  return (request, reply, payload, done) => {
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const { socket } = request.raw;
    if (!(bytes instanceof Uint8Array) || bytes.length === 0 || request.method === "HEAD" || socket.destroyed) {
      done();
      return;
    }
    const hold = () => {
      const reader = readerOf(socket, unsent);
      reply.raw.on("close", () => unsent.sent(bytes, reader));
      unsent.sending(bytes, reader);
      return reader;
    };
    if (bytes.length <= wholeBytes) {
      done(null, bytes);
      // Most answers go out at once: nothing of them is held.
      if (!reply.raw.writableFinished) hold();
      return;
    }
    const reader = hold();
    reply.header("content-length", bytes.length);
    done(
      null,
      piecesOf(bytes, () => unsent.took(reader)),
    );
  };
}

const readers = new WeakMap<Socket, AnswerReader>();

/** Answers that wait behind others on a connection get no event when it ends, so the connection is watched. */
function readerOf(socket: Socket, unsent: UnsentAnswers): AnswerReader {
  const known = readers.get(socket);
  if (known !== undefined) return known;
  const reader: AnswerReader = { cutOff: () => void socket.destroy() };
  readers.set(socket, reader);
  socket.once("close", () => unsent.leave(reader));
  return reader;
}

/** Counts the unsent bytes of a connection with an answer that goes on without an end. */
export function keptOn(socket: Socket, unsent: UnsentAnswers): KeptCount {
  const reader = readerOf(socket, unsent);
  return {
    sending: (bytes) => unsent.sending(bytes, reader),
    sent: (bytes) => unsent.sent(bytes, reader),
  };
}

function piecesOf(bytes: Uint8Array, onTaken: () => void): Readable {
  let at = 0;
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      if (at > 0) onTaken();
      this.push(at < bytes.length ? bytes.subarray(at, at + pieceBytes) : null);
      at += pieceBytes;
    },
  });
}
