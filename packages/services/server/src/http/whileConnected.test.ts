import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { bareServer } from "./bareServer.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";
import { whileConnected } from "./whileConnected.js";

test("a client that leaves gives up all requests of its connection, also those behind another one", async () => {
  await using server = bareServer("public", rnodeHttpConventions);
  const signals: AbortSignal[] = [];
  server.get("/slow", (_, reply) => {
    signals.push(whileConnected(reply));
    return new Promise(() => {});
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(3));
  await expect.poll(() => signals.length).toBe(3);
  socket.destroy();
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});
