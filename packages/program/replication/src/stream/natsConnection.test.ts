import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JetStreamSource } from "./follow/JetStreamSource.js";
import { connectJetStream, JetStreamConnector } from "./natsConnection.js";
import { StreamNames } from "./StreamNames.js";

const facts = { server_id: "one", version: "2.12.0", proto: 1, max_payload: 1 << 20, headers: true };

/** Takes connections as a NATS server does, and answers no question: it has no JetStream yet. */
class SilentServer {
  readonly sockets = new Set<Socket>();
  taken = 0;
  /** Clients that connect wait for this promise. */
  greet: Promise<void> = Promise.resolve();
  readonly #server: Server = createServer((socket) => {
    this.taken += 1;
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket)).on("error", () => {});
    void this.greet.then(() => socket.write(`INFO ${JSON.stringify(facts)}\r\n`));
    socket.on("data", (bytes) => {
      for (const line of bytes.toString().split("\r\n")) if (line === "PING") socket.write("PONG\r\n");
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `nats://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }
}

let server: SilentServer;
let url: string;
beforeEach(async () => {
  server = new SilentServer();
  url = await server.listen();
});
afterEach(() => server.close());

test("a connection to a server without JetStream is closed, and does not keep the process from ending", async () => {
  await expect(connectJetStream({ servers: [url], timeoutMs: 50 })).rejects.toThrow();
  expect(server.taken).toBe(1);
  await expect.poll(() => server.sockets.size).toBe(0);
});

test("what is ended while it connects has no connection afterwards, and makes none again", async () => {
  let greet = () => {};
  server.greet = new Promise((resolve) => {
    greet = resolve;
  });
  const source = new JetStreamSource(new StreamNames("test"), { servers: [url], timeoutMs: 50 });
  const opening = source.open();
  const refused = expect(opening).rejects.toThrow();
  await expect.poll(() => server.taken).toBe(1);
  await source[Symbol.asyncDispose]();
  greet();
  await expect.poll(() => server.sockets.size).toBe(1);
  await refused;
  await expect.poll(() => server.sockets.size).toBe(0);
  const connector = new JetStreamConnector({ servers: [url] });
  await connector[Symbol.asyncDispose]();
  await expect(connector.connect()).rejects.toThrow("it is not connected");
});
