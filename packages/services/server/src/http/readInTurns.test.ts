import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { attackers, bystander, until } from "@vedette/testing";
import { afterEach, expect, test } from "vitest";
import { readInTurns } from "./readInTurns.js";

const servers: Server[] = [];
const sockets: Socket[] = [];
/** As much as Node.js reads at once. */
const readBytes = 64 << 10;
/** Reads of one socket in a turn: one that waited for its data, and as many as begin in a turn. */
const maxReads = 5;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer();
  readInTurns(server, ({ remoteAddress }) => remoteAddress);
  server.on("request", answer).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

/** Opens a connection that sends a request. @returns the data received so far */
function say(port: number, head: string, { body = Buffer.alloc(0), localAddress = bystander } = {}): () => string {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  let received = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    received += piece;
  });
  socket.on("error", () => undefined);
  sockets.push(socket);
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`);
  socket.write(body);
  return () => received;
}

const length = (body: Buffer) => `content-length: ${body.length}`;
const body = Buffer.alloc(4 << 20, "x");

test("large bodies on many sockets are read a little in each turn of the event loop, and come whole", async () => {
  const bytesOfTurn = new Map<Socket, number>();
  let maxBytes = 0;
  const port = await listen((request, response) => {
    let bytes = 0;
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      const ofTurn = (bytesOfTurn.get(request.socket) ?? 0) + part.length;
      bytesOfTurn.set(request.socket, ofTurn);
      maxBytes = Math.max(maxBytes, ofTurn);
    });
    request.once("end", () => response.end(String(bytes)));
  });
  let isOver = false;
  const nextTurn = () => {
    bytesOfTurn.clear();
    if (!isOver) setImmediate(nextTurn);
  };
  nextTurn();
  const answers = attackers.flatMap((localAddress) =>
    Array.from({ length: 4 }, () => say(port, length(body), { body, localAddress })),
  );
  await until("all to be answered", () => answers.every((textOf) => textOf().endsWith(String(body.length))));
  isOver = true;
  expect(maxBytes).toBeLessThanOrEqual(maxReads * readBytes);
});

test("a body that was refused unread is read after the answer, and the connection goes on", async () => {
  const port = await listen((_request, response) => response.writeHead(404, { "content-length": 0 }).end());
  const next = Buffer.from(`POST / HTTP/1.1\r\nhost: x\r\n${length(body)}\r\n\r\n`);
  const received = say(port, length(body), { body: Buffer.concat([body, next, body]) });
  await until("both to be answered", () => received().split("404 Not Found").length === 3);
});

test("the connection of a body that is not wanted is closed when that was said", async () => {
  const port = await listen((request, response) => {
    request.pause();
    response.writeHead(413, { "content-length": 0 }).end();
  });
  let isClosed = false;
  say(port, "transfer-encoding: chunked", { body: Buffer.from("1\r\nx\r\n".repeat(100)) });
  sockets[0]!.once("close", () => {
    isClosed = true;
  });
  await until("the connection to be closed", () => isClosed);
});
