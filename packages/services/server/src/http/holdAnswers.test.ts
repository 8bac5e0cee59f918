import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { bareServer } from "./bareServer.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";
import { UnsentAnswers } from "./UnsentAnswers.js";

/** The size of one answer: the system's buffers take less. */
const answerBytes = 8 << 20;
const maxBytes = 32 << 20;
const question = "GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n";

async function largeServer() {
  const unsent = new UnsentAnswers(maxBytes);
  const server = bareServer("public", rnodeHttpConventions, { unsent });
  let asked = 0;
  server.get("/large", async (_request, reply) => {
    asked += 1;
    return reply.type("application/octet-stream").send(Buffer.alloc(answerBytes, 65 + (asked % 26)));
  });
  server.get("/short", async () => "short");
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    ...{ server, unsent, port },
    asked: () => asked,
    /** A client that never reads. */
    ask: (text = question) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.pause();
      socket.write(text);
      sockets.push(socket);
    },
    connections: () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count))),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await server.close();
    },
  };
}

test("answers that are not read have a bound for all connections of all routes; others are answered whole", async () => {
  await using node = await largeServer();
  let most = 0;
  for (let at = 0; at < 10; at += 1) {
    node.ask();
    await expect.poll(() => node.asked()).toBe(at + 1);
    most = Math.max(most, node.unsent.bytes);
  }
  expect(most).toBeLessThanOrEqual(maxBytes);
  await expect.poll(node.connections).toBe(maxBytes / answerBytes);
  const answer = await fetch(`http://127.0.0.1:${node.port}/large`);
  expect(answer.headers.get("content-length")).toBe(String(answerBytes));
  const body = Buffer.from(await answer.arrayBuffer());
  expect(body.equals(Buffer.alloc(answerBytes, 65 + (11 % 26)))).toBe(true);
  expect(await (await fetch(`http://127.0.0.1:${node.port}/short`)).text()).toBe("short");
});

test("questions behind others on one connection count, too, and nothing is counted when it has ended", async () => {
  await using node = await largeServer();
  node.ask(question.repeat(3));
  await expect.poll(() => node.unsent.bytes).toBeGreaterThan(0);
  node.ask(question.repeat(3));
  await expect.poll(() => node.asked()).toBeGreaterThan(1);
  await node[Symbol.asyncDispose]();
  await expect.poll(() => node.unsent.bytes).toBe(0);
});

test("a connection that is kept for many requests holds nothing between them", async () => {
  await using node = await largeServer();
  for (let at = 0; at < 3; at += 1) await (await fetch(`http://127.0.0.1:${node.port}/large`)).arrayBuffer();
  await expect.poll(() => node.unsent.bytes).toBe(0);
  const head = await node.server.inject({ method: "HEAD", url: "/large" });
  expect(head.headers["content-length"]).toBe(String(answerBytes));
});
