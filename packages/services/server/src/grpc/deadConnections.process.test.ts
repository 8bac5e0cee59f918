import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import {
  attackers,
  brokenHttp2,
  bystander,
  Flood,
  http2Beginning,
  http2Frame,
  silentHttp2,
  until,
  untilClosed,
} from "@vedette/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { answerOf, beginCall, framed, GrpcTest } from "../testing/grpcTest.js";

const node = TestQueries.empty();
insertBlocks(node.chain);
const statusPath = "/casper.v1.DeployService/status";
const ports = ["external", "internal"] as const;
const nothing = { idle: 0, busy: 0, terminating: 0 };
const started: GrpcTest[] = [];

async function start(limits: Parameters<typeof GrpcTest.start>[1] = {}): Promise<GrpcTest> {
  const server = await GrpcTest.start(node.queries(), limits);
  started.push(server);
  return server;
}

// The servers' time passes when a test advances it: the speed of bytes depends on the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] }));

afterEach(async () => {
  vi.useRealTimers();
  for (const server of started.splice(0)) await server[Symbol.asyncDispose]();
});

/** Opens a connection from an address, and requests the status over it. @throws Error when it is not served */
async function serve(port: number, localAddress = bystander): Promise<void> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, {
    createConnection: () => connect({ port, host: "127.0.0.1", localAddress }),
  });
  session.on("error", () => {});
  const stream = beginCall(session, statusPath);
  const answered = answerOf(stream);
  stream.end(framed(new Uint8Array(0)));
  const { status } = await answered;
  session.destroy();
  if (status !== 0) throw new Error(`the call ended with status ${status}`);
}

type Port = (typeof ports)[number];

const stateOf = (server: GrpcTest, name: Port) => () => JSON.stringify(server[name].connections);

/** Lets time pass until a server has no connections. @returns how much of its time, in milliseconds */
async function passUntilNothing(server: GrpcTest, name: Port): Promise<number> {
  let passedMs = 0;
  const isDone = async () => {
    if (Object.values(server[name].connections).every((count) => count === 0)) return true;
    vi.advanceTimersByTime(1_000);
    passedMs += 1_000;
    // The servers' reaction takes some turns of the event loop.
    for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    return false;
  };
  await until("the server to have no connection", isDone, { state: stateOf(server, name) });
  expect(server[name].connections).toEqual(nothing);
  return passedMs;
}

async function untilBusy(server: GrpcTest, name: Port, count: number): Promise<void> {
  const isBusy = () => server[name].connections.busy === count;
  await until(`${count} connections with a call`, isBusy, { state: stateOf(server, name) });
}

describe.each(ports)("on the %s port", (name) => {
  test("broken connections do not keep other clients out, and end when they do not answer", async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    let most = 0;
    for (const bytes of Object.values(brokenHttp2)) {
      const sockets = await flood.addEach(128, bytes, () => serve(port));
      most = Math.max(most, server[name].connections.idle);
      // Half of them go away, the others stay and send nothing more.
      for (const socket of sockets.slice(0, 256)) socket.destroy();
    }
    await serve(port);
    expect(most).toBeGreaterThan(200);
    // Doubt, an answer that does not come, and the end of the socket.
    expect(await passUntilNothing(server, name)).toBeLessThanOrEqual(15_000);
    await until("the attackers to have no connection", () => flood.open === 0, { state: () => `${flood.open} open` });
    await untilClosed(port);
  });

  test("connections that stop after their beginning do not keep other clients out, and end without an answer", async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    for (const bytes of Object.values(silentHttp2)) await flood.addEach(25, bytes, () => serve(port));
    // A head that comes byte by byte is not a call yet.
    const slow = await flood.addEach(1, http2Beginning, () => serve(port));
    const head = http2Frame(1, 4, 1, new Uint8Array(1_000));
    let sent = 0;
    const dripping = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write(head.subarray(sent, sent + 1));
      sent += 1;
    }, 100);
    expect(await passUntilNothing(server, name)).toBeLessThanOrEqual(40_000);
    clearInterval(dripping);
    await untilClosed(port);
  });

  test("an address that is full of idle connections can open others", async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    await flood.addEach(128, http2Beginning, async () => {}, attackers.slice(0, 1));
    for (let calls = 0; calls < 10; calls += 1) await serve(port, attackers[0]);
    expect(server[name].connections.busy).toBe(0);
  });

  test("four addresses with calls that never end leave places to another one", async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    await flood.addEach(128, Buffer.concat([http2Beginning, http2Frame(1, 4, 1, headOfCall)]), () => serve(port));
    // 64 of 512 places are reserved for addresses with few connections; all these addresses are this machine's.
    await untilBusy(server, name, 448);
    for (let calls = 0; calls < 10; calls += 1) await serve(port);
    await untilBusy(server, name, 448);
  });

  test("a connection that breaks with a call under way loses the call, too", async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    const call = Buffer.concat([http2Beginning, http2Frame(1, 4, 1, headOfCall)]);
    for (const bytes of Object.values(brokenHttp2)) {
      const broken = bytes.subarray(http2Beginning.length);
      const kept = await flood.add(attackers[0]!, call);
      const gone = await flood.add(attackers[0]!, call);
      await untilBusy(server, name, 2);
      expect(server[name].calls).toBe(2);
      kept.write(broken);
      gone.end(broken);
      await passUntilNothing(server, name);
    }
    expect(server[name].calls).toBe(0);
    await untilClosed(port);
  });

  test("a client without calls that answers stays connected", async () => {
    const server = await start({ keepAliveMs: 1_000, keepAliveTimeoutMs: 1_000, permitKeepAliveMs: 0 });
    const sessions = Array.from({ length: 20 }, () => server.connect(name));
    let pings = 0;
    for (const session of sessions) session.on("ping", () => (pings += 1));
    const areThere = () => server[name].connections.idle === sessions.length;
    await until("all clients to be connected", areThere, { state: stateOf(server, name) });
    for (let looks = 0; looks < 40; looks += 1) {
      vi.advanceTimersByTime(1_000);
      // When the second of a client's own questions is answered, the server has read the answer to its question.
      for (let times = 0; times < 2; times += 1) await Promise.all(sessions.map(answered));
    }
    expect(pings).toBeGreaterThanOrEqual(20 * sessions.length);
    expect(server[name].connections).toEqual({ idle: 20, busy: 0, terminating: 0 });
    for (const session of sessions) {
      const stream = beginCall(session, statusPath);
      const answered = answerOf(stream);
      stream.end(framed(new Uint8Array(0)));
      expect((await answered).status).toBe(0);
      session.destroy();
    }
  });
});

/** Sends a server a check. */
function answered(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    session.ping((error) => (error === null ? resolve() : reject(error)));
  });
}

test("browsers' connections without a whole request do not keep other clients out", async () => {
  const server = await start();
  const port = server.ports.external;
  using flood = new Flood(port);
  for (const text of ["", "PR", "POST / HTTP/1.1\r\nHost: x\r\nx: "]) await flood.addEach(128, text, () => serve(port));
  await serve(port);
  await passUntilNothing(server, "external");
  await untilClosed(port);
});

/** Headers of a call with a message that never comes, written out. */
const headOfCall = Buffer.concat(
  Object.entries({
    ":method": "POST",
    ":scheme": "http",
    ":authority": "node",
    ":path": "/casper.v1.DeployService/doDeploy",
    te: "trailers",
    "content-type": "application/grpc",
  }).map(([name, value]) =>
    Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]),
  ),
);
