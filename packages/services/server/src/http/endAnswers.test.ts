import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import type { Line } from "@vedette/config/log";
import { until } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { bareServer } from "./bareServer.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";

let server: FastifyInstance;
let isOpen: boolean;
let isRequested: boolean;
let answer: () => void;
let lines: Line[];

/** Opens a server with one route that answers from an open resource, when it is let. */
async function start(): Promise<number> {
  [isOpen, isRequested, lines] = [true, false, []];
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server = bareServer("public", rnodeHttpConventions, { log: (line) => void lines.push(line) });
  server.get("/", async () => {
    isRequested = true;
    await asked;
    if (!isOpen) throw new Error("it is closed already");
    return { isAnswer: true };
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return (server.server.address() as AddressInfo).port;
}

afterEach(async () => {
  answer();
  await server.close();
});

test("an answer that is under way when the server is closed comes whole, and what it is made from is closed after it", async () => {
  const port = await start();
  const answered = fetch(`http://127.0.0.1:${port}/`).then((response) => response.json());
  await until("the route to be asked", () => isRequested);
  const closed = server.close().then(() => {
    isOpen = false;
  });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  answer();
  expect(await answered).toEqual({ isAnswer: true });
  await closed;
  expect(lines).toEqual([]);
});

test("what a route does for a client that has gone is waited for, too", async () => {
  const port = await start();
  const socket = connect({ host: "127.0.0.1", port });
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await until("the route to be asked", () => isRequested);
  socket.destroy();
  const closed = server.close().then(() => {
    isOpen = false;
  });
  // All that there is to do at once is done.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(isOpen).toBe(true);
  answer();
  await closed;
  expect(lines).toEqual([]);
});

test("connections on which nothing is asked hold it up for nothing", async () => {
  const port = await start();
  const socket = connect({ host: "127.0.0.1", port });
  let isEnded = false;
  socket
    .on("error", () => undefined)
    .once("close", () => {
      isEnded = true;
    });
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  await server.close();
  await until("it to be ended", () => isEnded);
});
