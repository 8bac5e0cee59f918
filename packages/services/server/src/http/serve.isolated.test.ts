import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { TestQueries } from "@vedette/queries/testing";
import { afterAll, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

const requests = 3_000;
const server = createHttpServer({ queries: TestQueries.empty().queries(), metrics: async () => "" });
afterAll(() => server.close());

function collector(): (options?: { readonly type: "minor" }) => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

/** Bytes of objects that have outlived two collections of young ones. */
function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")!.space_used_size;
}

/** Has the server answer requests of one client, one after the other. @param count of requests */
async function answer(count: number): Promise<void> {
  const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
  for (let asked = 0; asked < count; asked += 1) {
    socket.write("GET /api/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString("latin1", 0, 15)).toBe("HTTP/1.1 200 OK");
  }
  socket.destroy();
}

test("a request that is answered is young garbage: nothing old holds it", async () => {
  await server.listen({ host: "127.0.0.1", port: 0 });
  const collect = collector();
  await answer(requests);
  collect();
  const before = oldBytes();
  for (let part = 0; part < 10; part += 1) {
    await answer(requests / 10);
    collect({ type: "minor" });
  }
  collect({ type: "minor" });
  const bytes = (oldBytes() - before) / requests;
  process.stdout.write(`${Math.round(bytes)} bytes of a request grow old\n`);
  expect(bytes).toBeLessThan(1_500);
});
