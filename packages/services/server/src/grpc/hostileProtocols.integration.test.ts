import { connect as connectSocket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { fromHex } from "@vedette/crypto";
import { until } from "@vedette/testing";
import { afterEach, describe, expect, test } from "vitest";
import {
  connectionsOf,
  endStarted,
  expectHealthy,
  expectServes,
  passUntil,
  path,
  start,
  stopTime,
  untilNoConnection,
} from "../testing/startedGrpc.js";

afterEach(endStarted);

describe("connections", () => {
  test("that never say what they speak are closed", async () => {
    stopTime();
    const server = await start();
    const sockets = ["", "P", "PR"].map((text) => {
      const socket = connectSocket(server.ports.external, "127.0.0.1");
      socket.on("error", () => {});
      socket.resume();
      socket.write(text);
      return socket;
    });
    await until("the connections", () => connectionsOf(server) === 3);
    await passUntil("the connections to end", () => sockets.every(({ closed }) => closed));
    await expectHealthy(server);
  });

  test("that say in pieces what they speak are understood", async () => {
    const server = await start();
    const socket = connectSocket(server.ports.external, "127.0.0.1");
    const answered = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(bytes.toString("hex"))));
    for (const piece of ["P", "R", "I * HTTP/2.0\r\n\r\nSM\r\n\r\n"]) {
      socket.write(piece);
      // Server and client share an event loop: in the meantime the piece is read.
      for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    }
    socket.write(fromHex("000000040000000000"));
    // A frame of settings: its type is 4.
    expect((await answered).slice(6, 8)).toBe("04");
    socket.destroy();
    await expectHealthy(server);
  });

  test("whose requests over HTTP/1.1 do not come, or do not end, are closed", async () => {
    const server = await start({ stallMs: 60 });
    const head = `POST ${path("status")} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    for (const text of [head, `${head}Content-Length: 100\r\n\r\n{`]) {
      const socket = connectSocket(server.ports.external, "127.0.0.1");
      socket.on("error", () => {});
      socket.resume();
      socket.write(text);
      await new Promise((resolve) => socket.once("close", resolve));
    }
    await untilNoConnection(server);
    await expectServes(server);
  });

  test("of browsers count as the others do", async () => {
    const server = await start({ maxConnections: 4, maxConnectionsPerAddress: 4 });
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connectSocket(server.ports.external, "127.0.0.1");
      socket.on("error", () => {});
      socket.resume();
      socket.write("POST / HTTP/1.1\r\n");
      return socket;
    });
    const open = () => sockets.filter(({ destroyed }) => !destroyed);
    const areFew = () =>
      connectionsOf(server) > 0 && open().length <= 4 && !open().some(({ connecting }) => connecting);
    await until("four to be left", areFew, { state: () => `${open().length} are` });
    expect(connectionsOf(server)).toBe(4);
    for (const socket of sockets) socket.destroy();
    await untilNoConnection(server);
    await expectHealthy(server);
  });

  test("that are not HTTP/2 do no harm", async () => {
    const server = await start();
    for (const text of [
      "GET / HTTP/1.1\r\n\r\n",
      "\u0000".repeat(10_000),
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxx",
    ]) {
      const socket = connectSocket(server.ports.external, "127.0.0.1");
      socket.on("error", () => {});
      socket.resume();
      socket.end(text);
      await new Promise((resolve) => socket.once("close", resolve));
    }
    await expectHealthy(server);
  });
});
