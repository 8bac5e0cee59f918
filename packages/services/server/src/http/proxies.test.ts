import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { TrustedProxies } from "@vedette/config";
import { rnode } from "@vedette/protocol";
import { NodeEvents, readerLimits } from "@vedette/queries/events";
import { TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createAdminServer } from "./adminServer.js";
import { defaultHttpLimits } from "./HttpLimits.js";
import { createHttpServer } from "./server.js";

const proxy = "127.0.0.2";
const stranger = "127.0.0.3";

const node = TestQueries.empty();
const events = new NodeEvents({
  store: node.store,
  maximumParents: 1,
  dialect: rnode,
  limits: { slots: { inAll: 100, perAddress: 1, limitsOwnMachine: true }, reader: readerLimits },
});
events.open(node.chain);
const reads = {
  queries: node.queries(),
  metrics: async () => "",
  events: events.served,
};
const limits = {
  ...{ ...defaultHttpLimits, limitsOwnMachine: true, connectionsPerAddress: 4 },
  ...{ burst: 3, requestsPerSecond: 0.001 },
};
const serverWith = (proxies?: TrustedProxies) => {
  const server = createHttpServer(reads, { limits, proxies });
  server.get("/who", (request) => request.ip);
  return server;
};
const servers = {
  xff: serverWith(new TrustedProxies([`${proxy}/32`], "x-forwarded-for")),
  forwarded: serverWith(new TrustedProxies([proxy], "forwarded")),
  admin: createAdminServer(node.queries(), { limits, proxies: new TrustedProxies([proxy], "x-forwarded-for") }),
  none: serverWith(),
};
type Server = keyof typeof servers;

beforeAll(async () => {
  for (const server of Object.values(servers)) await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

const portOf = (server: Server) => (servers[server].server.address() as AddressInfo).port;

interface Asked {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a request over a new connection, from an address of this machine. */
async function ask(server: Server, from: string, headers: Record<string, string>, path = "/who"): Promise<Asked> {
  const [response, text] = await open(server, from, headers, path);
  return { status: response.statusCode, text: await text };
}

async function open(
  server: Server,
  from: string,
  headers: Record<string, string>,
  path: string,
): Promise<[IncomingMessage, Promise<string>]> {
  const options = { host: "127.0.0.1", port: portOf(server), path, localAddress: from, agent: false, headers };
  const request = sendRequest(options).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const text = (async () => {
    let read = "";
    for await (const part of response.setEncoding("utf8")) read += part;
    return read;
  })();
  text.catch(() => undefined);
  return [response, text];
}

/** Opens a WebSocket through the proxy. */
async function follow(server: Server, client: string, path: string) {
  const url = `ws://127.0.0.1:${portOf(server)}${path}`;
  const socket = new WebSocket(url, { localAddress: proxy, headers: xff(client) });
  const status = await new Promise<number | undefined>((resolve) => {
    socket.on("error", () => undefined);
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
  });
  return { socket, status };
}

/** The statuses of several requests, one after the other. */
async function statuses(server: Server, from: string, all: readonly Record<string, string>[], path?: string) {
  const got: (number | undefined)[] = [];
  for (const headers of all) got.push((await ask(server, from, headers, path)).status);
  return got;
}

const xff = (text: string) => ({ "x-forwarded-for": text });

describe("behind a trusted proxy", () => {
  test("requests are counted for each client", async () => {
    const one = xff("203.0.113.5");
    expect((await ask("xff", proxy, one)).text).toBe("203.0.113.5");
    expect(await statuses("xff", proxy, [one, xff("203.0.113.5:81"), one])).toEqual([200, 200, 429]);
    expect((await ask("xff", proxy, xff("203.0.113.6"))).status).toBe(200);
    expect((await ask("xff", proxy, xff("[2001:db8::1]:5"))).text).toBe("2001:db8::1");
  });

  test("what a client put into the header before the proxy did is nothing", async () => {
    const invented = [1, 2, 3, 4].map((last) => xff(`198.51.100.${last}, 127.0.0.1, 203.0.113.7`));
    expect(await statuses("xff", proxy, invented)).toEqual([200, 200, 200, 429]);
    const other = [1, 2, 3, 4].map((last) => ({ ...xff("203.0.113.8"), forwarded: `for=198.51.100.${last}` }));
    expect(await statuses("xff", proxy, other)).toEqual([200, 200, 200, 429]);
  });

  test("RFC 7239 is read where it is configured, and then alone", async () => {
    const headers = { forwarded: "for=198.51.100.1, for=203.0.113.5;proto=https", ...xff("203.0.113.9") };
    expect((await ask("forwarded", proxy, headers)).text).toBe("203.0.113.5");
    expect((await ask("forwarded", proxy, { forwarded: 'for="[2001:db8::7]:1"' })).text).toBe("2001:db8::7");
    expect((await ask("forwarded", proxy, xff("203.0.113.9"))).text).toBe(proxy);
  });

  test("the operator's server counts in the same way", async () => {
    const same = new Array(4).fill(xff("203.0.113.5"));
    expect(await statuses("admin", proxy, same, "/api/v1/nothing")).toEqual([404, 404, 404, 429]);
    expect(await statuses("admin", proxy, [xff("203.0.113.6")], "/api/v1/nothing")).toEqual([404]);
  });

  test("each client may subscribe to events, up to the limit of one address", async () => {
    const headers = (client: string) => ({ ...xff(client), accept: "text/event-stream" });
    const [first] = await open("xff", proxy, headers("203.0.113.20"), "/v2/events");
    const [second] = await open("xff", proxy, headers("203.0.113.21"), "/v2/events");
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect((await ask("xff", proxy, headers("203.0.113.20"), "/v2/events")).status).toBe(429);
    const followed = [
      await follow("xff", "203.0.113.22", "/v2/events"),
      await follow("xff", "203.0.113.23", "/ws/events"),
    ];
    expect(followed.map(({ status }) => status)).toEqual([101, 101]);
    expect((await follow("xff", "203.0.113.22", "/ws/events")).status).toBe(429);
    first.destroy();
    second.destroy();
    for (const { socket } of followed) socket.terminate();
  });

  test("the proxy has as many connections as it likes, others have not", async () => {
    const expectLost = async (from: string, witness: string, lost: readonly number[]) => {
      const open = () => Promise.all(Array.from({ length: 6 }, () => connected("none", from)));
      const ofProxy = () => Promise.all(Array.from({ length: 6 }, () => connected("xff", from)));
      const groups = [await open(), await ofProxy()];
      // The server's message to another client comes after the ones that it closed before.
      for (const server of ["none", "xff"] as const) await ask(server, witness, {});
      await expect.poll(() => groups.map((some) => some.filter(({ closed }) => closed).length)).toEqual(lost);
      for (const socket of groups.flat()) socket.destroy();
    };
    await expectLost(proxy, "127.0.0.8", [2, 0]);
    await expectLost("127.0.0.4", "127.0.0.9", [2, 2]);
  });
});

describe("from any other address", () => {
  test.each(["xff", "forwarded", "none"] as const)("a header changes nothing: %s", async (server) => {
    const invented = [1, 2, 3].map((last) => ({
      ...xff(`203.0.113.${last}`),
      forwarded: `for=203.0.113.${last}`,
      "x-real-ip": `203.0.113.${last}`,
    }));
    for (const headers of invented) expect((await ask(server, stranger, headers)).text).toBe(stranger);
    expect((await ask(server, stranger, invented[0]!)).status).toBe(429);
  });

  test("events are counted by the connection's address, this machine's own too where it has limits", async () => {
    const headers = (last: number) => ({ ...xff(`203.0.113.${last}`), accept: "text/event-stream" });
    const [first] = await open("xff", "127.0.0.7", headers(1), "/v2/events");
    expect(first.statusCode).toBe(200);
    expect((await ask("xff", "127.0.0.7", headers(2), "/v2/events")).status).toBe(429);
    first.destroy();
  });

  test("a proxy's header is ignored if no proxy is trusted", async () => {
    expect((await ask("none", proxy, xff("203.0.113.5"))).text).toBe(proxy);
  });
});

test("an IPv4 address that is written as one of IPv6 is the same proxy", async () => {
  const server = serverWith(new TrustedProxies([proxy], "x-forwarded-for"));
  const mapped = (address: string) => `::ffff:${address}`;
  const queryFrom = (from: string, client: string) =>
    server.inject({ url: "/who", remoteAddress: mapped(from), headers: xff(client) });
  expect((await queryFrom(stranger, "203.0.113.5")).body).toBe(mapped(stranger));
  expect((await queryFrom(proxy, mapped("203.0.113.5"))).body).toBe("203.0.113.5");
  const statusOf = async () => (await queryFrom(proxy, "203.0.113.5")).statusCode;
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429]);
  await server.close();
});

/** A connection that sends nothing. */
async function connected(server: Server, from: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: portOf(server), localAddress: from });
  socket.on("error", () => undefined).resume();
  await once(socket, "connect");
  return socket;
}
