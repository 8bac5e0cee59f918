import { whyNoGo } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NatsServer } from "../testing/NatsServer.js";
import { JetStreamCounter } from "./JetStreamCounter.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`counts are not tried on a NATS server: ${why}\n`);
const window = { number: 7, ms: 100_000 };

describe.skipIf(why !== undefined)("counts of a real NATS server", () => {
  let server: NatsServer;

  beforeAll(async () => {
    server = await NatsServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const counterOf = (network: string) => new JetStreamCounter(network, { servers: [server.url] });

  test("are the same for all clients, by key, window and network", async () => {
    await using one = counterOf("first");
    await using other = counterOf("first");
    await using elsewhere = counterOf("sec ond");
    expect(await one.add("192.0.2.1", window, 2)).toBe(2);
    expect(await other.add("192.0.2.1", window, 5)).toBe(7);
    expect(await one.add("192.0.2.2", window, 1)).toBe(1);
    expect(await one.add("192.0.2.1", { ...window, number: 8 }, 1)).toBe(1);
    expect(await elsewhere.add("192.0.2.1", window, 3)).toBe(3);
    const sums = await Promise.all(
      Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? one : other).add("k", window, 1)),
    );
    expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  });

  test("fail soon where the server is away, and begin again with it", async () => {
    await using counter = counterOf("away");
    expect(await counter.add("client", window, 2)).toBe(2);
    await server.kill(true);
    await expect(counter.add("client", window, 2)).rejects.toThrow(`NATS at ${server.url}: `);
    await expect(counter.add("client", window, 2)).rejects.toThrow(`NATS at ${server.url}: `);
    await server.begin();
    await expect.poll(() => counter.add("client", window, 2).catch(() => 0)).toBe(2);
    expect(await counter.add("client", window, 3)).toBe(5);
  });
});
